import { useLocation } from 'wouter'

/** The parts of the path after `/ui/`, decoded once. */
export function useSegments(): readonly string[] {
  const [path] = useLocation()
  const raw = globalThis.location.pathname
  return (raw === '' ? path : raw).split('/').slice(2).map(decode)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The path of an item below a screen. */
export function toPath(...segments: readonly string[]): string {
  return `/ui/${segments.map(encodeURIComponent).join('/')}`
}
