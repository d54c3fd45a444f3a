import type { Caller } from '../../kernel/auth/caller.ts'
import { redactSecrets, redactStrictly } from '../../kernel/redaction/redact.ts'
import type { SynthesisOptions } from './needs.ts'
import { limits, type Rendered, render } from './render.ts'

const ledgerDays = 30
const dayMs = 86_400_000
const maxFiles = 200
const constraintTypes = ['constraint', 'decision', 'rule']
/** 5,000 minus a reserve for the first line. */
const maxTextTokens = 4744
const charactersPerToken = 4
/** Longer than any displayed excerpt, so that redaction sees whole secrets. */
const maxCitedLength = 4000

interface Projected extends Rendered {
  /** Tokens of the sessions whose files are linked. */
  readonly cited: readonly string[]
}

/** Renders `MEMORY.md` from the rows that the caller may read. */
export async function projectMemory(
  { db, host, agents, memory, transcripts, config }: SynthesisOptions,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<Projected> {
  const scope = await agents.readScopeOf(db, caller)
  const own = { agentId: caller.agentId, project: caller.scope.project }
  const since = new Date(host.now().getTime() - ledgerDays * dayMs).toISOString()
  const [durable, constraints, threads, nodes, ledger] = await Promise.all([
    memory.listByImportance(db, scope, { types: undefined, limit: limits.heads }),
    memory.listByImportance(db, scope, { types: constraintTypes, limit: limits.heads }),
    transcripts.listThreadHeads(db, own, limits.threads),
    transcripts.listNodes(db, own, limits.nodes),
    transcripts.listArtifacts(db, { ...own, since, limit: maxFiles }),
  ])
  const tokens = Math.min(maxTextTokens, config().maxTokens)
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

/** Applied to each cited text: strict redaction of the whole file would match file names. */
function withoutSecrets(text: string): string {
  return redactStrictly(text.replaceAll(/\s+/g, ' ').slice(0, maxCitedLength)).text
}
