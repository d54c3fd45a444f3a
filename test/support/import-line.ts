/** A line of a transcript import: one conversation. `more` replaces its fields. */
export function lineOf(key: string, more: Readonly<Record<string, unknown>> = {}): string {
  const { messages = [{ role: 'user', content: `words of ${key}` }], ...fields } = more
  return JSON.stringify({
    id: `line-${key}`,
    source: 'svc',
    harness: 'chatgpt',
    agent_id: 'default',
    session_key: key,
    project: null,
    timestamp: '2025-03-04T05:06:07.000Z',
    message_count: Array.isArray(messages) ? messages.length : 0,
    messages,
    ...fields,
  })
}

/** One message of a user with these words. */
export const saying = (content: string) => ({ messages: [{ role: 'user', content }] })
