import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** With more room than this nothing is faster, and V8 would take up to 120 MB and keep it. */
const enoughBytes = 8 * 2 ** 20
const growth = 2

/** What a start leaves behind is no reason to give young objects more room ever after. */
export function holdNursery(): void {
  setGrowth(1)
}

/** Lets the room of young objects grow until it is enough: there is no way to name its size later. */
export function letNurseryGrow(): void {
  setGrowth(growth)
  const observer = new PerformanceObserver(() => {
    if (readNursery() < enoughBytes) return
    setGrowth(1)
    observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

function readNursery(): number {
  const spaces = getHeapSpaceStatistics()
  return spaces.find((space) => space.space_name === 'new_space')?.space_size ?? 0
}
