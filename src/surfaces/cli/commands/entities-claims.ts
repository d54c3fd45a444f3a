import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { entitySubject } from '../graph-changes.ts'
import { nameMissing } from '../ids.ts'
import { valueColumns } from '../knowledge-operations.ts'
import { colors, toLine } from '../output.ts'
import { type Columns, type Row, renderRows, toRows } from '../render.ts'

interface ClaimsOptions {
  readonly aspect?: string
  readonly group?: string
  readonly claim?: string
  readonly status?: string
}

export const listClaims = command<ClaimsOptions>({
  usage: 'entities claims <name>',
  summary: 'List the claims of an entity, or the values of one claim with its evidence',
  options: [
    option('--aspect <name>', 'claims of one aspect'),
    option('--group <name>', 'claims of one group'),
    option('--claim <key>', 'values of one claim; needs --aspect'),
    option('--status <status>', 'with --claim: status of the values; default active', {
      choices: ['active', 'all', 'superseded', 'deleted'],
    }),
  ],
  examples: [
    'reverie entities claims Atlas',
    'reverie entities claims Atlas --aspect runtime --claim language --status all',
  ],
  run: list,
})

const claimSubject = { noun: 'claim', list: 'reverie entities tree NAME' }

async function list(call: Call<ClaimsOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const { aspect, group, claim, status } = options
  const [entity = ''] = args
  if ((claim && !aspect) || (status && !claim))
    throw new CliError(
      'usage',
      'usage',
      claim ? '--claim needs --aspect' : '--status needs --claim',
      'reverie entities claims --help',
    )
  const client = await connect()
  const route = claim
    ? 'GET /api/knowledge/navigation/attributes'
    : 'GET /api/knowledge/navigation/tree'
  const query = claim
    ? { entity, aspect, group, claim, status, limit: 200 }
    : { entity, max_aspects: 100, max_groups: 100, max_claims: 200 }
  const [name, subject] = claim
    ? [`${entity} ${aspect} ${claim}`, claimSubject]
    : [entity, entitySubject]
  const reply = Object(await nameMissing(name, client.call(route, { query }), subject)) as Row
  if (claim) return output.result(reply, () => renderValues(toRows(reply['items'])))
  const items = listSlots(reply, options)
  output.result({ entity: reply['entity'], items }, () => renderSlots(items, toLine(entity)))
}

function renderValues(rows: readonly Row[]): string {
  if (rows.length > 0) return renderRows(rows, valueColumns)
  return 'The claim has no such value. List all: pass --status all'
}

const slotColumns: Columns = {
  aspect: 'aspect',
  group: 'group',
  claim: 'claim',
  value: 'value',
  active: 'active',
  superseded: 'superseded',
}

function renderSlots(rows: readonly Row[], entity: string): string {
  if (rows.length === 0)
    return `No claim matches. Add one: reverie entities set "${entity}" ASPECT KEY VALUE`
  const hint = `Evidence: reverie entities claims "${entity}" --aspect ASPECT --claim CLAIM`
  return `${renderRows(rows, slotColumns)}\n${colors.dim(hint)}`
}

/** The slots of a tree as rows. */
function listSlots({ items }: Row, { aspect, group }: ClaimsOptions): readonly Row[] {
  const rows = toRows(items).flatMap((item) => {
    const { name, canonicalName } = Object(item['aspect'])
    return toRows(item['groups']).flatMap(({ groupKey, claims }) =>
      toRows(claims).map(({ claimKey, preview, activeCount, supersededCount }) => ({
        names: [name, canonicalName],
        row: {
          aspect: name,
          group: groupKey,
          claim: claimKey,
          value: preview,
          active: activeCount,
          superseded: supersededCount,
        },
      })),
    )
  })
  const key = (text: unknown) => String(text).trim().toLowerCase().replaceAll(/\s+/g, '_')
  return rows
    .filter(({ names }) => !aspect || names.some((name) => key(name) === key(aspect)))
    .map(({ row }) => row)
    .filter((row) => !group || key(row.group) === key(group))
}
