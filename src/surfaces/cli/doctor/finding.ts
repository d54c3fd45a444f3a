export interface Finding {
  readonly name: string
  /** A warning reduces what works; a failure is a defect. */
  readonly state: 'ok' | 'unknown' | 'warn' | 'fail'
  readonly detail: string
  readonly fix?: string
}

const finding =
  (state: 'ok' | 'unknown') =>
  (name: string, detail: string): Finding => ({ name, state, detail })

const problem =
  (state: 'warn' | 'fail') =>
  (name: string, detail: string, fix: string): Finding => ({ name, state, detail, fix })

export const ok = finding('ok')
export const unknown = finding('unknown')
export const warn = problem('warn')
export const fail = problem('fail')
