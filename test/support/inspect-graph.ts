import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Rows that break a rule of the graph. A killed daemon leaves none. */
const rules: Readonly<Record<string, string>> = {
  'is a claim without a live citation': `select id from entity_attributes a
    where withheld_at is null and status <> 'deleted' and not exists
      (select 1 from knowledge_citations c where c.subject_id = a.id and c.lost_at is null)`,
  'is withheld but has a live citation': `select id from entity_attributes a
    where withheld_at is not null and exists
      (select 1 from knowledge_citations c where c.subject_id = a.id and c.lost_at is null)`,
  'is a current claim without its memory': `select id from entity_attributes a
    where status = 'active' and withheld_at is null and not exists
      (select 1 from memories m where m.id = a.memory_id and m.deleted_at is null)`,
  'is a memory without its claim': `select id from memories m
    where memory_kind = 'derived' and deleted_at is null and not exists
      (select 1 from entity_attributes a where a.id = m.id and a.withheld_at is null
         and a.status <> 'deleted')`,
  'is an entity without a name to find it by': `select id from entities e
    where status = 'active' and withheld_at is null and not exists
      (select 1 from entity_names n where n.entity_id = e.id and n.kind = 'name')`,
  'is a name without its entity': `select entity_id from entity_names n where not exists
      (select 1 from entities e where e.id = n.entity_id and status = 'active'
         and withheld_at is null)`,
  'is a claim of no aspect or entity': `select id from entity_attributes a where not exists
      (select 1 from entity_aspects s join entities e on e.id = s.entity_id
         where s.id = a.aspect_id and e.id = a.entity_id)`,
  'lacks images': `select id from ontology_proposals p
    where status = 'applied' and undone_by is null and operation <> 'undo' and image_count <>
      (select count(*) from ontology_changes c where c.proposal_id = p.id)`,
  'has images of nothing that is applied': `select proposal_id from ontology_changes c where not exists
      (select 1 from ontology_proposals p where p.id = c.proposal_id and status = 'applied'
         and undone_by is null)`,
}

export function inspectGraph(workspace: string): string[] {
  const sqlite = new Sqlite(join(workspace, 'memory', 'memories.db'))
  try {
    const faults = sqlite.pragma('integrity_check', { simple: true })
    if (faults !== 'ok') return [String(faults)]
    return Object.entries(rules).flatMap(([rule, query]) =>
      sqlite
        .prepare<[], unknown>(query)
        .pluck()
        .all()
        .map((id) => `${id} ${rule}`),
    )
  } finally {
    sqlite.close()
  }
}

/** Derived memories that do not begin with the name of their entity. */
export function listOldNames(workspace: string): string[] {
  const sqlite = new Sqlite(join(workspace, 'memory', 'memories.db'))
  try {
    const query = `select m.content from memories m
      join entity_attributes a on a.id = m.id join entities e on e.id = a.entity_id
      where m.deleted_at is null and instr(m.content, e.name) = 0`
    return sqlite.prepare<[], string>(query).pluck().all()
  } finally {
    sqlite.close()
  }
}
