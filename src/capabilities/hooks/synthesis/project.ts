import type { Caller } from '../../../kernel/auth/caller.ts'
import { redactStrictly } from '../../../kernel/hygiene/redact.ts'
import type { HooksNeeds } from '../needs.ts'
import { most, type Rendered, render } from './render.ts'

const ledgerDays = 30
const dayMs = 86_400_000
const mostFiles = 200
const constraintTypes = ['constraint', 'decision', 'rule']
/** What is left of 5,000 for its first line. */
const mostTokens = 4744
const charactersPerToken = 4

interface Projected extends Rendered {
  /** The sessions whose files it links to. */
  readonly cited: readonly string[]
}

/** What `MEMORY.md` would say now to whoever may see so much; writes nothing. */
export async function projectMemory(
  { db, host, agents, memory, transcripts, settings }: HooksNeeds,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<Projected> {
  const scope = await agents.readScopeOf(db, caller)
  const own = { agentId: caller.agentId, project: caller.scope.project }
  const since = new Date(host.now().getTime() - ledgerDays * dayMs).toISOString()
  const { listWeighty } = memory.selection
  const [durable, constraints, threads, nodes, ledger] = await Promise.all([
    listWeighty(db, scope, { types: undefined, limit: most.heads }),
    listWeighty(db, scope, { types: constraintTypes, limit: most.heads }),
    transcripts.listThreadHeads(db, own, most.threads),
    transcripts.listNodes(db, own, most.nodes),
    transcripts.listArtifacts(db, { ...own, since, limit: mostFiles }),
  ])
  const tokens = Math.min(mostTokens, settings().synthesis.maxTokens)
  const rendered = render(
    { durable, constraints, threads, nodes, ledger },
    tokens * charactersPerToken,
  )
  const cited = ledger.filter(({ sourcePath }) => rendered.text.includes(sourcePath))
  return {
    ...rendered,
    text: redactStrictly(rendered.text).text,
    cited: cited.map(({ sessionToken }) => sessionToken),
  }
}
