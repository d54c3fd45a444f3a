/** What a hook answers when it has nothing to do: each field that a client reads, empty. */
export const noOps = {
  sessionStart: { inject: '', stableSystemPrompt: '', dynamicContext: '', memories: [] },
  userPromptSubmit: { inject: '', dynamicContext: '', memoryCount: 0 },
  sessionEnd: { memoriesSaved: 0 },
  remember: { success: true, memories: [] },
  recall: {
    ...{ results: [], memories: [], count: 0, method: 'hybrid' },
    meta: { totalReturned: 0, hasSupplementary: false, noHits: true },
    message: 'No matching memories found.',
  },
  preCompaction: { summaryPrompt: '', guidelines: '', instructions: '' },
  compactionComplete: { success: true },
  checkpointExtract: { skipped: true },
  skillInvocation: { recorded: false },
} as const
