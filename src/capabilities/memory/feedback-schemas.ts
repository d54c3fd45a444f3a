import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { FeedbackRequest, FeedbackResult } from './feedback.ts'

const maxRatings = 200

/** Words that clients may send in place of a number. */
const ratingWords: Readonly<Record<string, number>> = {
  useful: 1,
  wrong: -1,
  outdated: -0.5,
  none: 0,
}

const feedbackRule = `feedback must map ids to ${Object.keys(ratingWords).join(', ')} or a number from -1 to 1`

const rating = z
  .union(
    [
      z.number().min(-1, feedbackRule).max(1, feedbackRule),
      z.enum(Object.keys(ratingWords), feedbackRule),
      z.null(),
    ],
    feedbackRule,
  )
  .transform((rating) => (typeof rating === 'string' ? (ratingWords[rating] ?? 0) : (rating ?? 0)))

export const feedbackBody = z
  .object({
    agentId: read.ignored,
    agent_id: read.ignored,
    sessionKey: read.text,
    session_key: read.text,
    key: read.text,
    feedback: z
      .record(z.string(), rating, feedbackRule)
      .refine((ratings) => Object.keys(ratings).length > 0, feedbackRule)
      .refine((ratings) => Object.keys(ratings).length <= maxRatings, {
        error: `feedback must hold at most ${maxRatings}`,
      }),
  })
  .transform(
    ({ sessionKey, session_key, key, feedback }): FeedbackRequest => ({
      key: sessionKey ?? session_key ?? key,
      ratings: new Map(Object.entries(feedback)),
    }),
  )

export const feedbackReply = z.object({
  ok: z.literal(true),
  recorded: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  results: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['recorded', 'unchanged', 'withdrawn', 'not_found']),
    }),
  ),
})

export function toFeedbackReply(results: FeedbackResult[]): z.input<typeof feedbackReply> {
  const count = (...statuses: readonly FeedbackResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const rejected = count('not_found')
  const accepted = results.length - rejected
  return {
    ok: true,
    recorded: count('recorded', 'withdrawn'),
    accepted,
    rejected,
    results: results.map(toResult),
  }
}

/** Any text may be sent as the id of an unknown memory. */
function toResult({ id, status }: FeedbackResult) {
  return { id: status === 'not_found' ? toCleanText(id) : id, status }
}
