"""The training loop: one tensor per split, logits at answer positions only, Muon, exact resumption.

Order and rate depend on the step alone, so a run that is killed and goes on from its checkpoint ends at the same
weights as one that was never stopped.
"""

import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import broadcast_object_list
from torch import Tensor

from ..generators.errors import InputError
from .data import EncodedTasks, TrainingData, encode_data
from .model import IGNORED, AnswerLoss, answer_logits, build_model
from .optimizer import build_optimizers, working_type
from .run_folder import Progress, RunFolder
from .settings import RunSettings
from .threads import choose_threads

Notify = Callable[[int, str], None]


def train(settings: RunSettings, out: Path, notify: Notify = lambda examples, text: None) -> dict[str, Any]:
    """Train into the run folder ``out``, going on from its checkpoint if there is one, and return the run record.

    ``InputError`` when the folder holds a run of other settings. ``notify`` is told examples seen and a status text.
    """
    # as separate starts the processes of torchrun would race in one folder: without a GPU they meet over gloo
    alone = "LOCAL_RANK" not in os.environ or torch.cuda.is_available()
    AcceleratorState._reset_state()  # else a second run in this process could not have another precision
    folder, accelerator = RunFolder(out), Accelerator(mixed_precision=settings.precision, cpu=not alone)
    with folder.locked() if accelerator.is_main_process else nullcontext():
        with accelerator.main_process_first():
            record, tasks = folder.open(settings)
        if record.get("status") == "completed":
            return record
        data = encode_data(settings, tasks)
        return _Run(settings, folder, record, data, accelerator, notify).complete()


class _Run:
    """The moving parts of one run."""

    def __init__(
        self,
        settings: RunSettings,
        folder: RunFolder,
        record: dict[str, Any],
        data: TrainingData,
        accelerator: Accelerator,
        notify: Notify,
    ) -> None:
        self.settings, self.folder, self.record, self.notify = settings, folder, record, notify
        self.accelerator, device = accelerator, accelerator.device
        self.data, self.train, self.monitor = data, data.train.to(device), data.monitor.to(device)
        self.first = min(self.train.first, self.monitor.first)
        self.model = build_model(settings.seed, settings.positions)
        objective = AnswerLoss(self.model)
        optimizers = build_optimizers(objective, settings.muon_lr, settings.adam_lr, settings.muon_every)
        self.peaks = [[group["lr"] for group in optimizer.param_groups] for optimizer in optimizers]
        prepared = self.accelerator.prepare(objective, *optimizers)
        self.objective, self.optimizers = prepared[0], prepared[1:]
        self.progress = Progress()
        self.order: tuple[int, Tensor] | None = None

    def complete(self) -> dict[str, Any]:
        """Train to the end and write the model."""
        self._resume()
        self._set_threads()
        settings, progress = self.settings, self.progress
        per_epoch = -(-len(self.train) // settings.batch)
        while progress.step < settings.steps and not progress.reached:
            start, cpu_start = time.perf_counter(), time.process_time()
            loss = self._step(progress.step, per_epoch)
            progress.step += 1
            look = self._due(settings.evaluate_every) or progress.step == settings.steps
            checkpoint = self._due(settings.checkpoint_every) and progress.step < settings.steps
            if look or checkpoint:
                self._stop_if_diverged(loss)  # waits for the device, so it belongs to the time
            progress.seconds += time.perf_counter() - start
            progress.cpu_seconds += time.process_time() - cpu_start
            if look:
                self._monitor(float(loss))
            if checkpoint and not progress.reached:
                self.folder.save_checkpoint(self.accelerator, progress)
        return self._finish()

    def _due(self, every: int) -> bool:
        """Whether this step passes a multiple of ``every`` examples."""
        batch, step = self.settings.batch, self.progress.step
        return step * batch // every > (step - 1) * batch // every

    def _batch(self, step: int, per_epoch: int) -> EncodedTasks:
        epoch, place = divmod(step, per_epoch)
        if self.order is None or self.order[0] != epoch:
            self.order = (epoch, self.data.order(self.settings.seed, epoch))
        rows = self.order[1][place * self.settings.batch : (place + 1) * self.settings.batch]
        return self.train.select(rows.to(self.train.ids.device))

    def _step(self, step: int, per_epoch: int) -> Tensor:
        batch = self._batch(step, per_epoch)
        ranks = self.accelerator.num_processes
        share = batch.select(slice(self.accelerator.process_index, None, ranks)) if ranks > 1 else batch
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        total = self.objective(share.ids, share.positions, share.targets, self.first)
        # gradients are averaged over processes, so each one's share counts against the whole batch's targets
        loss = total * (ranks / (batch.targets != IGNORED).sum())
        self.accelerator.backward(loss)
        self._set_rates(self.settings.rate(step))
        for optimizer in self.optimizers:
            optimizer.step()
        return self.accelerator.reduce(loss.detach(), "mean")  # of every rank's share

    def _stop_if_diverged(self, loss: Tensor) -> None:
        """``InputError`` once loss or weights are not finite; the last checkpoint stays, the record says so."""
        if torch.isfinite(loss) and all(torch.isfinite(parameter).all() for parameter in self.model.parameters()):
            return
        kept = self.folder.path / "checkpoint"
        error = (
            f"training diverged: at step {self.progress.step} loss or weights are not finite; "
            + (f"the last finite ones are in {kept}; " if kept.exists() else "")
            + "lower the rates (--set muon_lr=..., adam_lr=...) in another --out"
        )
        self.record |= {"status": "diverged", "error": error, "curve": self.progress.curve}
        self.folder.write_record(self.accelerator, self.record)
        raise InputError(error, file=self.folder.path)

    def _set_rates(self, factor: float) -> None:
        for optimizer, peaks in zip(self.optimizers, self.peaks, strict=True):
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = factor * peak

    def _monitor(self, loss: float) -> None:
        progress, examples = self.progress, self.progress.step * self.settings.batch
        exact = exact_share(self.model, self.monitor, self.first)
        row = {"step": progress.step, "examples": examples, "seconds": round(progress.seconds, 2)}
        row["cpu_seconds"] = round(progress.cpu_seconds, 2)
        # whether to stop is one decision: ranks that rounded differently would wait for each other for ever
        exact = float(broadcast_object_list([exact])[0])
        progress.curve.append(
            row | {"loss": round(loss, 6), "gradient_norm": self._gradient_norm(), "validation_exact": exact}
        )
        self.folder.write_metrics(self.accelerator, progress.curve)
        target = self.settings.target
        if target is not None and exact >= target:
            progress.reached = row | {"validation_exact": exact}
        self.notify(examples, f"loss {loss:.4f}, {exact:.2%} of {len(self.monitor)} validation tasks exact")

    def _gradient_norm(self) -> float:
        """Of the whole batch's mean loss, over all weights: the gradients of the last step still stand."""
        norms = [parameter.grad.norm() for parameter in self.model.parameters() if parameter.grad is not None]
        return float(f"{torch.stack(norms).norm().item():.6g}")

    def _set_threads(self) -> None:
        """The declared number; measured when it is 0; the first session's number when the run goes on."""
        wanted = self.settings.threads or int(self.record.get("threads", 0))
        if wanted:
            torch.set_num_threads(wanted)
        elif self.accelerator.device.type == "cpu":
            batch = self._batch(0, -(-len(self.train) // self.settings.batch))

            def probe() -> None:
                self.objective(batch.ids, batch.positions, batch.targets, self.first).backward()
                self.objective.zero_grad()

            choose_threads(probe)
        self.record["threads"] = torch.get_num_threads()
        self.record["muon_type"] = str(working_type(self.accelerator.device)).removeprefix("torch.")
        self.folder.write_record(self.accelerator, self.record)

    def _resume(self) -> None:
        state = self.folder.load_checkpoint(self.accelerator)
        if state is not None:
            self.progress = Progress(**state)
            self.notify(self.progress.step * self.settings.batch, "going on from the checkpoint")

    def _finish(self) -> dict[str, Any]:
        progress = self.progress
        examples = progress.step * self.settings.batch
        self.record |= {
            "status": "completed",
            "device": str(self.accelerator.device),
            "processes": self.accelerator.num_processes,
            "parameters": sum(parameter.numel() for parameter in self.model.parameters()),
            "steps": progress.step,
            "examples_seen": examples,
            "train_examples": len(self.train),
            "target_tokens_per_epoch": self.train.target_tokens,
            "target_tokens_seen": round(self.train.target_tokens * examples / len(self.train)),
            "train_seconds": round(progress.seconds, 2),
            "train_cpu_seconds": round(progress.cpu_seconds, 2),
            "examples_per_second": round(examples / progress.seconds, 1),
            "reached": progress.reached,
            "curve": progress.curve,
        }
        self.folder.finish(self.accelerator, self.model, self.record, self.settings.positions)
        return self.record


@torch.no_grad()
def exact_share(model: Any, tasks: EncodedTasks, first: int, batch: int = 500) -> float:
    """The share that greedy decoding answers exactly: there every target is the likeliest after its true prefix."""
    right = 0
    for start in range(0, len(tasks), batch):
        part = tasks.select(slice(start, start + batch))
        best = answer_logits(model, part.ids, part.positions, first).argmax(-1)
        right += int(((best == part.targets) | (part.targets == IGNORED)).all(1).sum())
    return right / len(tasks)
