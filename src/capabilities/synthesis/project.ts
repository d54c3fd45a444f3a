import type { Caller } from '../../kernel/auth/caller.ts'
import { redactSecrets, redactStrictly } from '../../kernel/redaction/redact.ts'
import type { SynthesisOptions } from './needs.ts'
import { most, type Rendered, render } from './render.ts'

const ledgerDays = 30
const dayMs = 86_400_000
const mostFiles = 200
const constraintTypes = ['constraint', 'decision', 'rule']
/** What is left of 5,000 for its first line. */
const mostTokens = 4744
const charactersPerToken = 4
/** Characters of each text, many more than are shown: none of those is half of a secret. */
const mostCited = 4000

interface Projected extends Rendered {
  /** The sessions whose files it links to. */
  readonly cited: readonly string[]
}

/** What `MEMORY.md` would say now to whoever may see so much; writes nothing. */
export async function projectMemory(
  { db, host, agents, memory, transcripts, config }: SynthesisOptions,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<Projected> {
  const scope = await agents.readScopeOf(db, caller)
  const own = { agentId: caller.agentId, project: caller.scope.project }
  const since = new Date(host.now().getTime() - ledgerDays * dayMs).toISOString()
  const [durable, constraints, threads, nodes, ledger] = await Promise.all([
    memory.listByImportance(db, scope, { types: undefined, limit: most.heads }),
    memory.listByImportance(db, scope, { types: constraintTypes, limit: most.heads }),
    transcripts.listThreadHeads(db, own, most.threads),
    transcripts.listNodes(db, own, most.nodes),
    transcripts.listArtifacts(db, { ...own, since, limit: mostFiles }),
  ])
  const tokens = Math.min(mostTokens, config().maxTokens)
  const rendered = render(
    {
      ...{ durable: durable.map(cite), constraints: constraints.map(cite) },
      threads: threads.map((thread) => ({ ...thread, sample: withoutSecrets(thread.sample) })),
      nodes: nodes.map(cite),
      ledger: ledger.map((entry) => ({
        ...entry,
        memorySentence: entry.memorySentence && withoutSecrets(entry.memorySentence),
      })),
    },
    tokens * charactersPerToken,
  )
  const cited = ledger.filter(({ sourcePath }) => rendered.text.includes(sourcePath))
  return {
    ...rendered,
    text: redactSecrets(rendered.text).text,
    cited: cited.map(({ sessionToken }) => sessionToken),
  }
}

function cite<Cited extends { readonly content: string }>(cited: Cited): Cited {
  return { ...cited, content: withoutSecrets(cited.content) }
}

/** Of each text that is cited: in the whole, names of files look as if they were encoded. */
function withoutSecrets(text: string): string {
  return redactStrictly(text.replaceAll(/\s+/g, ' ').slice(0, mostCited)).text
}
