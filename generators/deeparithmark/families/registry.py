"""The registry: every family with its topic, depth and published share."""

from collections.abc import Callable
from dataclasses import dataclass

from ...choices.problem import Problem
from ...streams import Stream
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
from .run_end_time import run_end_time
from .salary_overtime_tax import salary_overtime_tax
from .schedule_sessions import schedule_sessions
from .share_then_split import share_then_split
from .shift_pallets import shift_pallets
from .stock_percent_pack import stock_percent_pack
from .tank_fill import tank_fill
from .time_clock_end import time_clock_end
from .trip_minutes import trip_minutes
from .two_leg_arrival import two_leg_arrival
from .two_rate_pay import two_rate_pay


@dataclass(frozen=True, slots=True)
class Family:
    """A parameterised story; ``share`` is its count among the 250 items of its depth."""

    draw: Callable[[Stream], Problem]
    topic: str
    depth: int
    share: int

    @property
    def template(self) -> str:
        """The family's name, as ``metadata.template`` gives it."""
        return self.draw.__name__


FAMILIES = (
    Family(money_discount_fee, "money_discount", 2, 122),
    Family(time_clock_end, "time_clock", 2, 128),
    Family(measure_cm_cut, "measurement", 3, 33),
    Family(share_then_split, "equal_sharing", 3, 44),
    Family(two_rate_pay, "rates_of_pay", 3, 45),
    Family(stock_percent_pack, "percent_of_stock", 3, 48),
    Family(trip_minutes, "travel_time", 3, 33),
    Family(schedule_sessions, "schedules", 3, 47),
    Family(inventory_boxes, "multi_step_inventory", 4, 62),
    Family(mix_split, "mixtures", 4, 63),
    Family(tank_fill, "flow_rates", 4, 62),
    Family(discount_tax_coupon_split, "shared_bill", 4, 63),
    Family(salary_overtime_tax, "wages_and_tax", 5, 84),
    Family(inventory_percent_chain, "multi_step_inventory", 5, 83),
    Family(prize_ratio_charity, "ratio_and_donation", 5, 83),
)
# Beyond the published depths.
DEEP_FAMILIES = (
    Family(batch_profit, "batch_sales", 6, 84),
    Family(hall_takings, "ticket_sales", 6, 83),
    Family(run_end_time, "production_time", 6, 83),
    Family(two_leg_arrival, "journeys", 7, 83),
    Family(pay_left_over, "household_pay", 7, 84),
    Family(floor_bill, "floor_areas", 7, 83),
    Family(harvest_profit, "harvests", 8, 83),
    Family(outing_share, "group_outings", 8, 84),
    Family(shift_pallets, "factory_shifts", 8, 83),
)
