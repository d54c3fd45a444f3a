/** Something that was done, in counts and names: never in words that somebody has said. */
export interface TelemetryEvent {
  readonly id: string
  readonly event: string
  /** ISO. */
  readonly timestamp: string
  readonly properties: Properties
}

export type Properties = Readonly<Record<string, string | number | boolean | null>>
