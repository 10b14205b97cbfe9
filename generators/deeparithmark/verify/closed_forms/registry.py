"""A second statement of the stories, in closed form, that shares no code with the families.

Each formula takes the numbers of the prompt in reading order as exact fractions and returns its recipe.
"""

from collections.abc import Callable, Mapping

from .batch_profit import batch_profit
from .discount_tax_coupon_split import discount_tax_coupon_split
from .floor_bill import floor_bill
from .hall_takings import hall_takings
from .harvest_profit import harvest_profit
from .inventory_boxes import inventory_boxes
from .inventory_percent_chain import inventory_percent_chain
from .measure_cm_cut import measure_cm_cut
from .mix_split import mix_split
from .money_discount_fee import money_discount_fee
from .outing_share import outing_share
from .pay_left_over import pay_left_over
from .prize_ratio_charity import prize_ratio_charity
from .recipe import Recipe
from .run_end_time import run_end_time
from .salary_overtime_tax import salary_overtime_tax
from .schedule_sessions import schedule_sessions
from .share_then_split import share_then_split
from .shift_pallets import shift_pallets
from .stock_percent_pack import stock_percent_pack
from .tank_fill import tank_fill
from .trip_minutes import trip_minutes
from .two_leg_arrival import two_leg_arrival
from .two_rate_pay import two_rate_pay

FORMULAS: Mapping[str, Callable[..., Recipe]] = {
    formula.__name__: formula
    for formula in (
        money_discount_fee,
        measure_cm_cut,
        share_then_split,
        two_rate_pay,
        stock_percent_pack,
        trip_minutes,
        schedule_sessions,
        inventory_boxes,
        mix_split,
        tank_fill,
        discount_tax_coupon_split,
        salary_overtime_tax,
        inventory_percent_chain,
        prize_ratio_charity,
        batch_profit,
        hall_takings,
        run_end_time,
        two_leg_arrival,
        pay_left_over,
        floor_bill,
        harvest_profit,
        outing_share,
        shift_pallets,
    )
}
