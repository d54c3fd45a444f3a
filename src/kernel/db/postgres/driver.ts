import type { CompiledQuery, DatabaseConnection, Driver, PostgresDriver, QueryResult } from 'kysely'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { begin, send, toCount } from './send.ts'

type Pooled = Parameters<PostgresDriver['releaseConnection']>[0]

/** A connection of the pool is taken when there is something to send, and no answer is awaited that nobody needs. */
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

  /** Waits for everything that was begun: a pool that ends forgets those who wait for a connection. */
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

  /** Goes over together with the first statement, whose failure is then that of the beginning. */
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

  /** Statements that nobody decides anything between; outside a transaction they are one. */
  async executeBatch(queries: readonly CompiledQuery[]): Promise<readonly number[]> {
    if (!this.#pooled) return this.#groupCommit.write(queries)
    const [, results] = await Promise.all([this.#beginResult, send(await this.pooled(), queries)])
    return results.map(toCount)
  }

  streamQuery(): never {
    throw new Error('Rows do not stream between processes: read pages.')
  }
}
