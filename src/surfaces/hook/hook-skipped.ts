export type Reason = 'bypassed' | 'usage' | 'no_input' | 'offline' | 'slow' | 'refused' | 'garbage'

/** There is nothing to tell the harness, and this is why. */
export class HookSkipped extends Error {
  override readonly name = 'NoAnswer'
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}
