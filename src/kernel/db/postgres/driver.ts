import type { CompiledQuery, DatabaseConnection, Driver, PostgresDriver, QueryResult } from 'kysely'
import { begin, createGroupCommit, type GroupCommit, send, toCount } from './group-commit.ts'

type Pooled = Parameters<PostgresDriver['releaseConnection']>[0]

/** Takes a pool connection with the first statement, and pipelines statements without awaiting unused answers. */
export class ServerDriver implements Driver {
  readonly #pool: PostgresDriver
  readonly groupCommit: GroupCommit
  #inUse = 0
  #onUnused: (() => void) | undefined

  constructor(pool: PostgresDriver, maxQueued: number) {
    this.#pool = pool
    this.groupCommit = createGroupCommit({
      maxQueued: maxQueued,
      withConnection: (work) => this.#withPooled(work),
    })
  }

  init(): Promise<void> {
    return this.#pool.init()
  }

  async acquireConnection(): Promise<ServerConnection> {
    this.#inUse += 1
    return new ServerConnection(this.#pool, this.groupCommit)
  }

  async beginTransaction(connection: ServerConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: ServerConnection): Promise<void> {
    await this.#pool.commitTransaction(await connection.pooled())
  }

  async rollbackTransaction(connection: ServerConnection): Promise<void> {
    await this.#pool.rollbackTransaction(await connection.pooled())
  }

  async releaseConnection(connection: ServerConnection): Promise<void> {
    await connection.release()
    this.#inUse -= 1
    if (this.#inUse === 0) this.#onUnused?.()
  }

  /** Waits for running work, because an ending pool drops callers that wait for a connection. */
  async destroy(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onUnused = resolve
    if (this.#inUse > 0) await promise
    await this.#pool.destroy()
  }

  async #withPooled(work: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
    const connection = (await this.#pool.acquireConnection()) as Pooled
    try {
      await work(connection)
    } finally {
      await this.#pool.releaseConnection(connection)
    }
  }
}

class ServerConnection implements DatabaseConnection {
  readonly #pool: PostgresDriver
  readonly #groupCommit: GroupCommit
  #pooled: Promise<Pooled> | undefined
  #beginResult: Promise<unknown> | undefined

  constructor(pool: PostgresDriver, commits: GroupCommit) {
    this.#pool = pool
    this.#groupCommit = commits
  }

  pooled(): Promise<Pooled> {
    this.#pooled ??= this.#pool.acquireConnection() as Promise<Pooled>
    return this.#pooled
  }

  /** `begin` is sent with the first statement, which then reports its failure. */
  async begin(): Promise<void> {
    const pooled = await this.pooled()
    this.#beginResult = pooled.executeQuery(begin)
    this.#beginResult.catch(() => {})
  }

  async release(): Promise<void> {
    const pooled = await this.#pooled?.catch(() => undefined)
    if (pooled) await this.#pool.releaseConnection(pooled)
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const pooled = await this.pooled()
    const pending = pooled.executeQuery<Row>(query)
    const [, result] = await Promise.all([this.#beginResult, pending])
    return result
  }

  /** Runs statements without intermediate decisions; outside a transaction they form one. */
  async executeBatch(queries: readonly CompiledQuery[]): Promise<readonly number[]> {
    if (!this.#pooled) return this.#groupCommit.write(queries)
    const [, results] = await Promise.all([this.#beginResult, send(await this.pooled(), queries)])
    return results.map(toCount)
  }

  streamQuery(): never {
    throw new Error('Rows do not stream between processes: read pages.')
  }
}
