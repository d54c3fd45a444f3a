export interface RecallEvents {
  /** Never holds the words of the question. */
  'recall.performed': {
    readonly agentId: string
    readonly type: 'hybrid' | 'keyword' | 'temporal'
    readonly results: number
    readonly latencyMs: number
    readonly truncated: boolean
  }
}
