import { withFaultReply } from '../../kernel/http/replies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import type { Admit } from './admission.ts'
import { extractCheckpoint } from './checkpoint.ts'
import { completeCompaction } from './compaction.ts'
import { type Hook, type HookCall, toHook } from './hook.ts'
import { recallHook, rememberHook } from './memory-hooks.ts'
import type { HooksNeeds } from './needs.ts'
import { notifySession } from './notices.ts'
import { prepareCompaction } from './pre-compaction.ts'
import { submitFirstPrompt } from './prompt/submit-prompt.ts'
import { recordSkill } from './record-skill.ts'
import * as replies from './replies.ts'
import * as wire from './schemas.ts'
import { endSession } from './session-end.ts'
import { startSession } from './start/session-start.ts'

/** The body may contain a whole transcript. */
const bodyLimit = 8_388_608

const hook = <Name extends string>(name: Name) =>
  ({
    name: `hooks.${name}`,
    method: 'POST',
    path: `/api/hooks/${name}`,
    onInvalidBody: { error: 'invalid request body' },
  }) as const

export function hooksRoutes(needs: HooksNeeds, admit: Admit): readonly Route[] {
  const handle =
    <Fields, Result>(
      run: (needs: HooksNeeds, request: Fields & { readonly hook: Hook }) => Promise<Result>,
      error = 'Hook execution failed',
    ) =>
    (call: HookCall<wire.CommonBody & Fields>) =>
      withFaultReply({ error }, needs.log, () => run(needs, { ...call.body, hook: toHook(call) }))
  const submit = handle(submitFirstPrompt)
  return [
    route({
      ...hook('session-start'),
      permission: 'remember',
      summary: 'Start a session and return its context.',
      body: wire.sessionStartBody,
      reply: replies.sessionStartReply,
      handle: handle(startSession),
    }),
    route({
      ...hook('user-prompt-submit'),
      permission: 'recall',
      summary:
        'Record a prompt and return facts about the entities it names. At most eight run concurrently.',
      bodyLimit,
      body: wire.promptBody,
      reply: replies.promptReply,
      handle: (call) => admit(call.signal, () => submit(call)),
    }),
    route({
      ...hook('notifications'),
      permission: 'recall',
      summary: 'Return unread messages and ended task runs, each once in a session.',
      body: wire.noticesBody,
      reply: replies.noticesReply,
      handle: handle(notifySession),
    }),
    route({
      ...hook('session-end'),
      permission: 'authenticated',
      summary: 'End a session: capture its transcript (needs `remember`) and release its claim.',
      bodyLimit,
      body: wire.sessionEndBody,
      reply: replies.sessionEndReply,
      handle: handle(endSession),
    }),
    route({
      ...hook('remember'),
      permission: 'remember',
      summary: 'Store a memory for a harness.',
      body: wire.rememberHookBody,
      reply: replies.rememberHookReply,
      handle: handle(rememberHook),
    }),
    route({
      ...hook('recall'),
      permission: 'recall',
      limit: ({ body }) => (body.request.aggregate ? ['recallLlm'] : []),
      summary: 'Recall memories for a harness session.',
      body: wire.recallHookBody,
      reply: replies.recallHookReply,
      handle: (call) =>
        handle((needs: HooksNeeds, request: Parameters<typeof recallHook>[1]) =>
          recallHook(needs, request, call.signal),
        )(call),
    }),
    route({
      ...hook('pre-compaction'),
      permission: 'authenticated',
      summary: 'Return guidelines for a summary. Needs `recall`, or `remember` with a transcript.',
      body: wire.preCompactionBody,
      reply: replies.preCompactionReply,
      handle: handle(prepareCompaction),
    }),
    route({
      ...hook('compaction-complete'),
      permission: 'remember',
      summary: 'Store the summary of a compaction and reset the session context.',
      body: wire.compactionBody,
      reply: replies.compactionReply,
      handle: handle(completeCompaction, 'Failed to save summary'),
    }),
    route({
      ...hook('session-checkpoint-extract'),
      permission: 'remember',
      summary: 'Store the transcript of a running session.',
      bodyLimit,
      body: wire.checkpointBody,
      reply: replies.checkpointReply,
      handle: handle(extractCheckpoint),
    }),
    route({
      ...hook('skill-invocation'),
      permission: 'remember',
      summary: 'Record the use of a skill, once for each use.',
      body: wire.skillBody,
      reply: replies.skillReply,
      handle: handle(recordSkill),
    }),
  ]
}
