import {
  keepPreviousData,
  type Query,
  QueryClient,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, type Input, isUnreachable } from './api.ts'
import { operations, type RouteName } from './operations.ts'
import { useCanCall } from './session.tsx'

const maxRetries = 20
const maxRetryDelayMs = 15_000

/** Reads are repeated while the service does not answer; writes never are. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (count, error) => isUnreachable(error) && count < maxRetries,
        retryDelay: (count) => Math.min(maxRetryDelayMs, 500 * 2 ** count),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

export interface ReadState<Reply> {
  readonly operation: string
  /** This build has no such operation, or the caller may not call it. */
  readonly isMissing: boolean
  readonly data: Reply | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
}

interface ReadOptions<Reply> {
  readonly isEnabled?: boolean
  /** Shows the previous reply while another input is read. */
  readonly keepsPrevious?: boolean
  readonly everyMs?: number
  /** Whether the reply is not final, so that it is read again after `everyMs`. */
  readonly isPending?: (reply: Reply) => boolean
}

/** Reads a route. The reply is cached by route and input. */
export function useRead<Reply>(
  route: RouteName,
  input: Input = {},
  { isEnabled = true, keepsPrevious = false, everyMs, isPending }: ReadOptions<Reply> = {},
): ReadState<Reply> {
  const isMissing = !useCanCall()(route)
  const { data, error, isFetching, failureReason, refetch } = useQuery({
    queryKey: [route, input],
    queryFn: ({ signal }) => call<Reply>(route, input, { signal }),
    enabled: isEnabled && !isMissing,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state: { data: known } }) =>
      everyMs !== undefined && (!isPending || (known !== undefined && isPending(known)))
        ? everyMs
        : false,
  })
  const retry = () => void refetch()
  const shownError = data === undefined ? (error ?? failureReason) : null
  return { operation: operations[route], isMissing, data, error: shownError, isFetching, retry }
}

export interface Change<Reply> {
  readonly run: (input: Input) => Promise<Reply>
  readonly isRunning: boolean
  readonly isMissing: boolean
}

/** A change of data. Everything in view is read again after it. */
export function useChange<Reply>(route: RouteName): Change<Reply> {
  const queries = useQueryClient()
  const isMissing = !useCanCall()(route)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (input: Input) => call<Reply>(route, input),
    onMutate: () => queries.cancelQueries({ queryKey: [similarRoute] }),
    onSettled: (_reply, _error, { body }) => {
      if (isDryRun(body)) return
      void queries.invalidateQueries({ queryKey: [memoryRoute], refetchType: 'none' })
      // The caller leaves a removed item first.
      setTimeout(() => void refreshQueries(queries, isData))
    },
  })
  return { run: mutateAsync, isRunning: isPending, isMissing }
}

function isDryRun(body: unknown): boolean {
  const { dryRun, dry_run: dryRunOfGraph } = Object(body) as Record<string, unknown>
  return dryRun === true || dryRunOfGraph === true
}

/** Time to unmount the panels that a change removes. */
const renderMs = 50
const memoryRoute: RouteName = 'GET /api/memory/:id'
/** Refused as soon as the memory is forgotten. */
const similarRoute: RouteName = 'GET /memory/similar'

/** Reads the memories near one in meaning, unless a change may remove it. */
export function useSimilar<Reply>(id: string): ReadState<Reply> {
  const queries = useQueryClient()
  const isChanging = useIsMutating() > 0
  const memories = queries.getQueryCache().findAll({ queryKey: [memoryRoute], type: 'active' })
  const isOutdated = memories.some(({ state }) => state.isInvalidated)
  return useRead<Reply>(similarRoute, { query: { id } }, { isEnabled: !isChanging && !isOutdated })
}

/** Reads the item in view first, so that panels which its change removes ask for nothing. */
export async function refreshQueries(
  queries: QueryClient,
  isStale: (key: string) => boolean,
): Promise<void> {
  const predicate = ({ queryKey: [key] }: Pick<Query, 'queryKey'>) => isStale(String(key))
  for (const key of [memoryRoute, 'GET /api/knowledge/navigation/tree'])
    await queries.refetchQueries({ queryKey: [key], type: 'active', predicate })
  await new Promise((resolve) => setTimeout(resolve, renderMs))
  await queries.invalidateQueries({ predicate })
}

function isData(key: string): boolean {
  return key !== 'session'
}
