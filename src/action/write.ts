import { type Annotation, annotationsFor } from '../report/annotations.ts';
import { countsOf } from '../report/counts.ts';
import { cut } from '../report/document.ts';
import { reportParts } from '../report/json.ts';
import type { Report } from '../report/model.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderSummary } from '../report/summary.ts';
import { renderText } from '../report/text.ts';
import { writePartsAtomic } from '../util/atomic-file.ts';
import { messageOf } from '../util/errors.ts';
import { collectGarbage } from '../util/garbage.ts';
import { logSafe } from '../util/log-safe.ts';
import { type Core, log } from './toolkit.ts';

/**
 * The runner drops a step's summary above 1 MiB of bytes (actions/runner, `FileCommandManager.cs`); a little is
 * left for what comes after it.
 */
const MAX_SUMMARY_BYTES = 1024 * 1024 - 4096;
/** The runner cuts longer messages (actions/runner, `ExecutionContext.cs`). */
const MAX_MESSAGE_LENGTH = 4000;
/** A shorter value is no secret, and masking it would tear holes into every log line. */
const MIN_SECRET_LENGTH = 4;

export interface Destination {
  env: NodeJS.ProcessEnv;
  core: Core;
  /** Absolute paths of the files. */
  report: string;
  sarif: string;
}

/** Values that the runner then shows as `***` wherever they turn up. */
export function maskSecrets(core: Core, secrets: readonly string[]): void {
  for (const secret of secrets) {
    if (secret.trim().length >= MIN_SECRET_LENGTH) core.setSecret(secret);
  }
}

/**
 * Writes everything but the comment: files, outputs, the log, annotations, summary. What cannot be written is a
 * warning; the verdict stands whatever happens here.
 */
export async function writeResult(report: Report, to: Destination): Promise<void> {
  const written = {
    report: await writeFile(to, to.report, () => reportParts(report)),
    sarif: await writeFile(to, to.sarif, () => [renderSarif(report)]),
  };
  attempt(to.core, 'the outputs', () => setOutputs(report, written, to));
  attempt(to.core, 'the log', () => log(renderText(report)));
  attempt(to.core, 'the annotations', () => {
    for (const annotation of annotationsFor(report)) emit(annotation, to);
  });
  await writeSummary(to, () => renderSummary(report, { budget: MAX_SUMMARY_BYTES }));
}

function setOutputs(report: Report, written: { report: string; sarif: string }, to: Destination): void {
  const counts = countsOf(report);
  setOutput(to, 'verdict', report.verdict);
  setOutput(to, 'drift', String(counts.changes > 0));
  setOutput(to, 'changes', String(counts.changes));
  setOutput(to, 'findings', String(counts.findings));
  setOutput(to, 'unchecked', String(counts.unchecked));
  setOutput(to, 'report', written.report);
  setOutput(to, 'sarif', written.sarif);
  setOutput(to, 'lock-sha256', report.lockfile.sha256 ?? '');
}

/** Without the runner's file there is nobody to read an output. */
export function setOutput(to: Pick<Destination, 'env' | 'core'>, name: string, value: string): void {
  if (to.env.GITHUB_OUTPUT) to.core.setOutput(name, value);
}

function emit({ level, title, message, file, line, column }: Annotation, { core }: Destination): void {
  // The escaping of workflow commands knows no `##[`, which the runner reads anywhere in a line.
  const words = logSafe(message);
  const shown = words.length <= MAX_MESSAGE_LENGTH ? words : `${cut(words, MAX_MESSAGE_LENGTH)}…`;
  core[level](shown, { title: logSafe(title), file, startLine: line, startColumn: column });
}

async function writeFile(to: Destination, path: string, parts: () => Iterable<string>): Promise<string> {
  try {
    await writePartsAtomic(path, parts());
    collectGarbage();
    return path;
  } catch (error) {
    to.core.warning(logSafe(`AgentGate could not write ${path}: ${messageOf(error)}`));
    return '';
  }
}

async function writeSummary(to: Destination, text: () => string): Promise<void> {
  // Older GitHub Enterprise Servers have none.
  if (!to.env.GITHUB_STEP_SUMMARY) return;
  try {
    await to.core.summary.addRaw(text()).write();
  } catch (error) {
    to.core.warning(logSafe(`AgentGate could not write the job summary: ${messageOf(error)}`));
  }
}

function attempt(core: Core, what: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    core.warning(logSafe(`AgentGate could not write ${what}: ${messageOf(error)}`));
  }
}
