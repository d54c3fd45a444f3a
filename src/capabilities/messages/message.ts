export const messageTypes = ['info', 'question', 'assist_request', 'decision_update'] as const
export const deliveryPaths = ['local', 'acp'] as const
export const deliveryStates = [
  'pending',
  'in_flight',
  'indeterminate',
  'delivered',
  'failed',
] as const

type MessageType = (typeof messageTypes)[number]
type DeliveryPath = (typeof deliveryPaths)[number]
export type DeliveryState = (typeof deliveryStates)[number]

/** The receiver of a message on another service that speaks the Agent Communication Protocol. */
export interface AcpTarget {
  readonly baseUrl: string
  readonly targetAgentName: string
  readonly timeoutMs: number
  readonly metadata: Readonly<Record<string, string>>
}

/** Times are ISO. */
export interface Message {
  readonly id: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly fromAgentId: string
  readonly fromSessionKey: string | null
  readonly toAgentId: string | null
  readonly toSessionKey: string | null
  /** A reader whose token has a project receives messages of this project only. */
  readonly project: string | null
  readonly content: string
  readonly type: MessageType
  readonly broadcast: boolean
  readonly deliveryPath: DeliveryPath
  readonly deliveryState: DeliveryState
  readonly deliveryAttempts: number
  readonly deliveryError: string | null
  /** The id of the run at the other service. */
  readonly deliveryReceipt: string | null
  /** Until then, one daemon delivers the message. */
  readonly leaseUntil: string | null
  readonly acp: AcpTarget | null
}

/** A message with the acknowledgement of its reader. */
export interface ReadMessage extends Message {
  readonly acknowledgedAt: string | null
}

/** The agents whose broadcasts a reader receives, as its read policy defines them. */
export interface MessageReader {
  readonly agentId: string
  /** Undefined for every agent. */
  readonly senders: readonly string[] | undefined
  /** Null for every project. */
  readonly project: string | null
}

/** The state for programs that know no uncertain delivery. */
export function toDeliveryStatus(state: DeliveryState): 'queued' | 'delivered' | 'failed' {
  return state === 'delivered' || state === 'failed' ? state : 'queued'
}

/** Applies the rules of the inbox to a loaded message. */
export function isAddressee(
  { agentId, senders, project }: MessageReader,
  message: Pick<Message, 'fromAgentId' | 'toAgentId' | 'broadcast' | 'project'>,
): boolean {
  const { fromAgentId, toAgentId, broadcast } = message
  if (project !== null && message.project !== project) return false
  if (!broadcast) return toAgentId === agentId
  return fromAgentId !== agentId && (senders?.includes(fromAgentId) ?? true)
}
