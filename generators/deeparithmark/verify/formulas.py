"""A second statement of the stories, in closed form, that shares no code with the families.

Each formula takes the numbers of the prompt in reading order as exact fractions and returns its recipe.
"""

from collections.abc import Callable, Mapping

from . import formulas_deep as deep
from . import formulas_deepest as deepest
from . import formulas_long as long
from . import formulas_short as short
from .recipe import Recipe

FORMULAS: Mapping[str, Callable[..., Recipe]] = {
    formula.__name__: formula
    for formula in (
        short.money_discount_fee,
        short.measure_cm_cut,
        short.share_then_split,
        short.two_rate_pay,
        short.stock_percent_pack,
        short.trip_minutes,
        short.schedule_sessions,
        long.inventory_boxes,
        long.mix_split,
        long.tank_fill,
        long.discount_tax_coupon_split,
        long.salary_overtime_tax,
        long.inventory_percent_chain,
        long.prize_ratio_charity,
        deep.batch_profit,
        deep.hall_takings,
        deep.run_end_time,
        deep.two_leg_arrival,
        deep.pay_left_over,
        deep.floor_bill,
        deepest.harvest_profit,
        deepest.outing_share,
        deepest.shift_pallets,
    )
}
