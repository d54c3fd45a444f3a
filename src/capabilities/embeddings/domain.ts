import { type DomainCheck, toFindings } from '../../kernel/capability/domain.ts'
import type { Runtime } from './runtime.ts'

/** Limit of the contract. */
const minCoverage = 0.8

const fix = { command: 'reverie repair re-embed --all', route: 'POST /api/repair/re-embed' }

/** The part of the domain index about vectors. */
export function coverageDomain({
  needs,
  registry,
}: Pick<Runtime, 'needs' | 'registry'>): DomainCheck {
  return {
    domain: 'index',
    weight: 0.15,
    check: async () => {
      const { active, target } = registry.models()
      const identity = target?.identity ?? active?.identity ?? ''
      const { total, embedded } = await needs.memories().countCurrent(needs.background, identity)
      const embeddingCoverage = total === 0 ? 1 : embedded / total
      const detail = `${embedded} of ${total} memories have a vector`
      const isLow = registry.configured() !== undefined && embeddingCoverage < minCoverage
      return {
        fields: { embeddingCoverage },
        findings: toFindings([isLow && { code: 'coverage', penalty: 0.3, detail, fix }]),
      }
    },
  }
}
