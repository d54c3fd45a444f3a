import { type Route, route } from '../../kernel/http/route.ts'
import { withFaultReply } from '../../kernel/http/with-fault-reply.ts'
import type { Admit } from './admission.ts'
import { completeCompaction } from './complete-compaction.ts'
import { extractCheckpoint } from './extract-checkpoint.ts'
import { toHook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { prepareCompaction } from './pre-compaction.ts'
import { submitFirstPrompt } from './prompt/first-prompt.ts'
import { recallHook } from './recall.ts'
import { recordSkill } from './record-skill.ts'
import { rememberHook } from './remember.ts'
import * as replies from './replies.ts'
import * as wire from './schemas.ts'
import { endSession } from './session-end.ts'
import { startSession } from './start/session-start.ts'

const badBody = { error: 'invalid request body' }
const failed = { error: 'Hook execution failed' }
/** A whole conversation may come along. */
const bodyLimit = 8_388_608

export function hooksRoutes(needs: HooksNeeds, admit: Admit): readonly Route[] {
  const { log } = needs
  return [
    route({
      name: 'hooks.session-start',
      method: 'POST',
      path: '/api/hooks/session-start',
      permission: 'remember',
      summary: 'Tells a session at its beginning what is worth knowing.',
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
      summary: 'Notes a prompt and tells what is known of what it names; at most eight at once.',
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
      summary: 'Keeps what was said, which takes `remember`, and lets go of the session.',
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
      summary: 'Keeps what a harness was told to remember.',
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
      summary: 'Recalls for a harness, in the name of its session.',
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
      summary: 'Says what a summary must keep; takes `recall`, or `remember` with a transcript.',
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
      summary: 'Keeps the summary a harness goes on with; the session is told everything anew.',
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
      summary: 'For sessions that never end: keeps what was said so far.',
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
      summary: 'Records that a harness has used a skill; once for each use.',
      onInvalidBody: badBody,
      body: wire.skillBody,
      reply: replies.skillReply,
      handle: (call) =>
        withFaultReply(failed, log, () => recordSkill(needs, { ...call.body, hook: toHook(call) })),
    }),
  ]
}
