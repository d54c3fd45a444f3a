export interface Finding {
  readonly name: string
  /** A warning is something that does less than it could; a failure is something that is broken. */
  readonly state: 'ok' | 'unknown' | 'warn' | 'fail'
  readonly detail: string
  /** What to do about it. */
  readonly fix?: string
}

export const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail })

export const unknown = (name: string, detail: string): Finding => ({
  ...{ name, state: 'unknown', detail },
})

export const warn = (name: string, detail: string, fix: string): Finding => ({
  ...{ name, state: 'warn', detail, fix },
})

export const fail = (name: string, detail: string, fix: string): Finding => ({
  ...{ name, state: 'fail', detail, fix },
})
