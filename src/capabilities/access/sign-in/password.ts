import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { loginBusy, loginFailed, loginNotConfigured } from '../refusals.ts'

/** The only user that signs in by password. */
const passwordUser = 'admin'

/** Each check takes about 64 MiB of memory for a moment. */
const maxConcurrentChecks = 2
const defaultCost = { N: 2 ** 16, r: 8, p: 1 }
const hashBytes = 32
const minSaltBytes = 8
/** Bytes; the cost of a configured hash must fit. */
const maxMemory = 256 * 2 ** 20

export interface PasswordSettings {
  /** `scrypt:N:r:p:salt:hash`, salt and hash as base64url. Takes precedence. */
  readonly hash: string | undefined
  readonly password: string | undefined
}

export interface PasswordLogin {
  readonly isConfigured: boolean
  /** Why the configured hash is not usable. */
  readonly problem: string | undefined
  /** Refuses a wrong user name or password in the same time. */
  check(username: string, password: string): Promise<void>
}

interface StoredPassword {
  readonly cost: Readonly<Record<'N' | 'r' | 'p', number>>
  readonly salt: Buffer
  readonly hash: Buffer
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

export function createPasswordLogin(settings: PasswordSettings): PasswordLogin {
  const parsed = settings.hash === undefined ? undefined : parseHash(settings.hash)
  const problem =
    settings.hash !== undefined && !parsed ? 'SVC_ADMIN_PASSWORD_HASH is not valid' : undefined
  let stored: Promise<StoredPassword> | undefined = parsed && Promise.resolve(parsed)
  let running = 0
  const isConfigured = problem === undefined && (settings.hash ?? settings.password) !== undefined
  const matches = async (password: string): Promise<boolean> => {
    stored ??= hashPassword(settings.password ?? '')
    const { cost, salt, hash } = await stored
    return timingSafeEqual(hash, await hashWith(password, { cost, salt, length: hash.length }))
  }
  return {
    isConfigured,
    problem,
    check: async (username, password) => {
      if (!isConfigured) throw loginNotConfigured()
      if (running >= maxConcurrentChecks) throw loginBusy()
      running += 1
      try {
        // The password is hashed for every user name, so that the time confirms none.
        const isPassword = await matches(password)
        if (!isPassword || username !== passwordUser) throw loginFailed()
      } finally {
        running -= 1
      }
    },
  }
}

async function hashPassword(password: string): Promise<StoredPassword> {
  const salt = randomBytes(2 * minSaltBytes)
  const cost = defaultCost
  return { cost, salt, hash: await hashWith(password, { cost, salt, length: hashBytes }) }
}

interface HashOptions extends Pick<StoredPassword, 'cost' | 'salt'> {
  readonly length: number
}

function hashWith(password: string, { cost, salt, length }: HashOptions): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, length, { ...cost, maxmem: 2 * maxMemory })
}

const hashShape =
  /^scrypt:(?<N>\d{1,8}):(?<r>\d{1,3}):(?<p>\d{1,3}):(?<salt>[\w-]{8,200}):(?<hash>[\w-]{20,200})$/

/** Undefined for a hash of another form or with a cost out of bounds. */
function parseHash(text: string): StoredPassword | undefined {
  const groups = hashShape.exec(text.trim())?.groups
  if (!groups) return undefined
  const [N, r, p] = [Number(groups['N']), Number(groups['r']), Number(groups['p'])]
  const isPowerOfTwo = N >= 2 ** 10 && Number.isInteger(Math.log2(N))
  const salt = Buffer.from(groups['salt'] ?? '', 'base64url')
  const hash = Buffer.from(groups['hash'] ?? '', 'base64url')
  const isInBounds = r > 0 && p > 0 && p <= 16 && 128 * N * r <= maxMemory
  if (!isPowerOfTwo || !isInBounds || salt.length < minSaltBytes || hash.length < 16)
    return undefined
  return { cost: { N, r, p }, salt, hash }
}
