import { type Route, route } from '../../kernel/http/route.ts'
import { withFaultReply } from '../../kernel/http/with-fault-reply.ts'
import type { Admit } from './admission.ts'
import { extractCheckpoint } from './checkpoint.ts'
import { completeCompaction, prepareCompaction } from './compaction.ts'
import { toHook } from './hook.ts'
import { recallHook, rememberHook } from './memory-hooks.ts'
import type { HooksNeeds } from './needs.ts'
import { submitFirstPrompt } from './prompt/submit-prompt.ts'
import { recordSkill } from './record-skill.ts'

import * as replies from './replies.ts'
import * as wire from './schemas.ts'
import { endSession } from './session-end.ts'
import { startSession } from './start/session-start.ts'

const badBody = { error: 'invalid request body' }
const failed = { error: 'Hook execution failed' }
/** The body may contain a whole transcript. */
const bodyLimit = 8_388_608

export function hooksRoutes(needs: HooksNeeds, admit: Admit): readonly Route[] {
  const { log } = needs
  return [
    route({
      name: 'hooks.session-start',
      method: 'POST',
      path: '/api/hooks/session-start',
      permission: 'remember',
      summary: 'Start a session and return its context.',
      onInvalidBody: badBody,
      body: wire.sessionStartBody,
      reply: replies.sessionStartReply,
      handle: (call) =>
        withFaultReply(failed, log, () =>
          startSession(needs, { ...call.body, hook: toHook(call) }),
        ),
    }),
    route({
      name: 'hooks.user-prompt-submit',
      method: 'POST',
      path: '/api/hooks/user-prompt-submit',
      permission: 'recall',
      summary:
        'Record a prompt and return facts about the entities it names. At most eight run concurrently.',
      ...{ onInvalidBody: badBody, bodyLimit },
      body: wire.promptBody,
      reply: replies.promptReply,
      handle: (call) =>
        admit(call.signal, () =>
          withFaultReply(failed, log, () =>
            submitFirstPrompt(needs, { ...call.body, hook: toHook(call) }),
          ),
        ),
    }),
    route({
      name: 'hooks.session-end',
      method: 'POST',
      path: '/api/hooks/session-end',
      permission: 'authenticated',
      summary: 'End a session: capture its transcript (needs `remember`) and release its claim.',
      ...{ onInvalidBody: badBody, bodyLimit },
      body: wire.sessionEndBody,
      reply: replies.sessionEndReply,
      handle: (call) =>
        withFaultReply(failed, log, () => endSession(needs, { ...call.body, hook: toHook(call) })),
    }),
    route({
      name: 'hooks.remember',
      method: 'POST',
      path: '/api/hooks/remember',
      permission: 'remember',
      summary: 'Store a memory for a harness.',
      onInvalidBody: badBody,
      body: wire.rememberHookBody,
      reply: replies.rememberHookReply,
      handle: (call) =>
        withFaultReply(failed, log, () =>
          rememberHook(needs, { ...call.body, hook: toHook(call) }),
        ),
    }),
    route({
      name: 'hooks.recall',
      method: 'POST',
      path: '/api/hooks/recall',
      permission: 'recall',
      limit: ({ body }) => (body.request.aggregate ? ['recallLlm'] : []),
      summary: 'Recall memories for a harness session.',
      onInvalidBody: badBody,
      body: wire.recallHookBody,
      reply: replies.recallHookReply,
      handle: (call) =>
        withFaultReply(failed, log, () => recallHook(needs, { ...call.body, hook: toHook(call) })),
    }),
    route({
      name: 'hooks.pre-compaction',
      method: 'POST',
      path: '/api/hooks/pre-compaction',
      permission: 'authenticated',
      summary: 'Return guidelines for a summary. Needs `recall`, or `remember` with a transcript.',
      onInvalidBody: badBody,
      body: wire.preCompactionBody,
      reply: replies.preCompactionReply,
      handle: (call) =>
        withFaultReply(failed, log, () =>
          prepareCompaction(needs, { ...call.body, hook: toHook(call) }),
        ),
    }),
    route({
      name: 'hooks.compaction-complete',
      method: 'POST',
      path: '/api/hooks/compaction-complete',
      permission: 'remember',
      summary: 'Store the summary of a compaction and reset the session context.',
      onInvalidBody: badBody,
      body: wire.compactionBody,
      reply: replies.compactionReply,
      handle: (call) =>
        withFaultReply({ error: 'Failed to save summary' }, log, () =>
          completeCompaction(needs, { ...call.body, hook: toHook(call) }),
        ),
    }),
    route({
      name: 'hooks.session-checkpoint-extract',
      method: 'POST',
      path: '/api/hooks/session-checkpoint-extract',
      permission: 'remember',
      summary: 'Store the transcript of a running session.',
      ...{ onInvalidBody: badBody, bodyLimit },
      body: wire.checkpointBody,
      reply: replies.checkpointReply,
      handle: (call) =>
        withFaultReply(failed, log, () =>
          extractCheckpoint(needs, { ...call.body, hook: toHook(call) }),
        ),
    }),
    route({
      name: 'hooks.skill-invocation',
      method: 'POST',
      path: '/api/hooks/skill-invocation',
      permission: 'remember',
      summary: 'Record the use of a skill, once for each use.',
      onInvalidBody: badBody,
      body: wire.skillBody,
      reply: replies.skillReply,
      handle: (call) =>
        withFaultReply(failed, log, () => recordSkill(needs, { ...call.body, hook: toHook(call) })),
    }),
  ]
}
