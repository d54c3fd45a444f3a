import { useState } from 'react'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { DatabaseSchema, TableSample } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'

const pageSize = 25

/** The tables of the database, to read only. */
export function DatabaseView() {
  const t = useText()
  const format = useFormat()
  const [name, setName] = useState<string>()
  const read = useRead<DatabaseSchema>('GET /api/diagnostics/database/schema')
  return (
    <div className="stack">
      {name !== undefined && <Sample key={name} name={name} />}
      <Sheet title={t.operations.tables} isFlush>
        <Loaded read={read}>
          {({ tables }) => (
            <ul className="lines" aria-label={t.operations.tables}>
              {tables.map((table) => (
                <li key={table.name}>
                  <i className="dot" aria-hidden="true" />
                  <p>
                    <code className="mono">{table.name}</code>{' '}
                    <span className="faint">
                      {t.operations.columns(table.columns.length)}
                      {table.sampleBlockedReason && (
                        <>
                          {' · '}
                          <PlainText text={table.sampleBlockedReason} />
                        </>
                      )}
                    </span>
                  </p>
                  <span className="push row">
                    <span className="num faint">
                      {table.rowCount === null ? t.common.unknown : format.number(table.rowCount)}
                    </span>
                    <button
                      type="button"
                      className="button"
                      disabled={!table.sampleAllowed}
                      aria-label={`${t.operations.show} ${table.name}`}
                      onClick={() => setName(table.name)}
                    >
                      {t.operations.show}
                    </button>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Sheet>
    </div>
  )
}

function Sample({ name }: { readonly name: string }) {
  const t = useText()
  const [offset, setOffset] = useState(0)
  const read = useRead<TableSample>(
    'GET /api/diagnostics/database/tables/:table/sample',
    { path: { table: name }, query: { limit: pageSize, offset } },
    { keepsPrevious: true },
  )
  return (
    <Sheet title={<code className="mono">{name}</code>} label={name} isFlush>
      <Loaded read={read}>
        {({ columns, rows, hasMore }) => (
          <>
            <Rows columns={columns} rows={rows} offset={offset} name={name} />
            <p className="row pad">
              <button
                type="button"
                className="button"
                disabled={offset === 0}
                onClick={() => setOffset(Math.max(0, offset - pageSize))}
              >
                {t.common.back}
              </button>
              <button
                type="button"
                className="button"
                disabled={!hasMore}
                onClick={() => setOffset(offset + pageSize)}
              >
                {t.common.more}
              </button>
            </p>
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

interface RowsProps extends Pick<TableSample, 'columns' | 'rows'> {
  readonly name: string
  readonly offset: number
}

function Rows({ columns, rows, name, offset }: RowsProps) {
  const t = useText()
  if (rows.length === 0) return <p className="pad faint">{t.operations.noRows}</p>
  return (
    <section className="scrolls" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={offset + JSON.stringify(row)}>
              {columns.map((column) => (
                <td key={column}>
                  <PlainText text={toCell(row[column])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const maxCell = 200

function toCell(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > maxCell ? `${text.slice(0, maxCell)}…` : text
}
