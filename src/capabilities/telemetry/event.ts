/** A usage event of counts and names, without user text. */
export interface TelemetryEvent {
  readonly id: string
  readonly event: string
  /** ISO. */
  readonly timestamp: string
  readonly properties: Properties
}

export type Properties = Readonly<Record<string, string | number | boolean | null>>
