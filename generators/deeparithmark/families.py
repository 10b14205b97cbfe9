"""The registry: every family with its topic, depth and published share."""

from collections.abc import Callable
from dataclasses import dataclass

from ..streams import Stream
from .deep_clock import run_end_time, two_leg_arrival
from .depth2 import money_discount_fee, time_clock_end
from .depth3_amounts import measure_cm_cut, share_then_split, stock_percent_pack
from .depth3_rates import schedule_sessions, trip_minutes, two_rate_pay
from .depth4_changes import discount_tax_coupon_split, tank_fill
from .depth4_portions import inventory_boxes, mix_split
from .depth5 import inventory_percent_chain, prize_ratio_charity, salary_overtime_tax
from .depth6 import batch_profit, hall_takings
from .depth7 import floor_bill, pay_left_over
from .depth8 import harvest_profit, outing_share
from .depth8_shift import shift_pallets
from .problem import Problem


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
