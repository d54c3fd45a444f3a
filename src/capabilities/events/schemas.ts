import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'

export const eventsQuery = z
  .object({
    ...value.ignoredAgent,
    types: value.list.describe('Event types, such as `memory.*` or `session.started`.'),
    scope: value.text.describe(
      'Namespace of the memories whose events are sent; default: the default namespace.',
    ),
  })
  .transform(({ scope, types }) => ({ types, namespace: scope }))
