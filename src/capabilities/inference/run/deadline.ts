import type { Host } from '../../../kernel/host/host.ts'

/** Why a call ended before its reply. */
export type EndReason = 'timeout' | 'cancelled'

export const endSentences: Readonly<Record<EndReason, string>> = {
  timeout: 'The call exceeded its timeout.',
  cancelled: 'The call was cancelled.',
}

export interface Deadline {
  /** Aborts at the deadline, with a signal of the caller, or when the call is cancelled. */
  readonly signal: AbortSignal
  /** Undefined while the call may continue. */
  reason(): EndReason | undefined
  cancel(): void
  /** Releases the timer. */
  end(): void
}

export function startDeadline(
  host: Pick<Host, 'sleep'>,
  timeoutMs: number,
  callers: readonly AbortSignal[],
): Deadline {
  const timeout = new AbortController()
  const cancellation = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([timeout.signal, cancellation.signal, ...callers])
  // An explicit reason avoids the cost of creating an error.
  void host.sleep(timeoutMs, over.signal).then(() => {
    if (!over.signal.aborted) timeout.abort('timeout')
  })
  return {
    signal,
    reason: () => {
      if (!signal.aborted) return undefined
      return signal.reason === 'timeout' ? 'timeout' : 'cancelled'
    },
    cancel: () => cancellation.abort('cancelled'),
    end: () => over.abort('over'),
  }
}
