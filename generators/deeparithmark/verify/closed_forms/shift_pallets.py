"""``shift_pallets`` in closed form."""

from fractions import Fraction as F

from .recipe import LOOSE_PACK, Recipe, full, used


def shift_pallets(makers: F, rate: F, hours: F, bad: F, size: F, sent: F, stack: F, held: F) -> Recipe:
    """Full stacks of the full packs that are not sent off, and the earlier stacks."""
    rejects = used(bad / 100, "forgot the rejects", "took off the rejects again", "added the rejects")
    gone = used(sent, "forgot the packs sent off", "took off the packs sent off again", "added the packs sent off")
    loose_packs = {"": False, "counted the loose packs as a full stack": True}
    before = used(held, "forgot the earlier ones", "counted the earlier ones again", "took off the earlier ones")

    def stacks(failed: F, loose: bool, less: F, loose_stack: bool, earlier: F) -> F:
        packs = full(makers * rate * hours * (1 - failed), size, loose)
        return full(packs - less, stack, loose_stack) + earlier

    return Recipe((rejects, LOOSE_PACK, gone, loose_packs, before), (4, 5, 6, 7, 8), stacks)
