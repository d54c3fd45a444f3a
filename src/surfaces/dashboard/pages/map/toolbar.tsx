import { useText } from '../../i18n/language.tsx'
import { firstView, type View, zoomBy } from './camera.ts'
import { type Colouring, colourings } from './cloud.ts'
import type { Tool } from './picture.tsx'

interface ToolbarProps {
  readonly tool: Tool
  readonly onTool: (tool: Tool) => void
  readonly colouring: Colouring
  readonly onColouring: (colouring: Colouring) => void
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly dimensions: View['dimensions']
  readonly onDimensions: (dimensions: View['dimensions']) => void
  readonly onView: (change: (view: View) => View) => void
}

const zoomStep = 1.5

/** How the map is shown and what the pointer does. */
export function Toolbar(props: ToolbarProps) {
  const t = useText()
  const { tool, onTool, colouring, onColouring, filter, onFilter, onView } = props
  const { dimensions, onDimensions } = props
  return (
    <fieldset className="filters" aria-label={t.map.tools}>
      <input
        type="search"
        className="button map-search"
        aria-label={t.map.filter}
        placeholder={t.map.filter}
        value={filter}
        onChange={({ target }) => onFilter(target.value)}
      />
      <select
        className="button"
        aria-label={t.map.colourBy}
        value={colouring}
        onChange={({ target }) =>
          onColouring(colourings.find((name) => name === target.value) ?? 'type')
        }
      >
        {colourings.map((name) => (
          <option key={name} value={name}>
            {t.map.colourings[name]}
          </option>
        ))}
      </select>
      <Switch isOn={dimensions === 3} onSwitch={(isOn) => onDimensions(isOn ? 3 : 2)}>
        {t.map.depth}
      </Switch>
      <Switch isOn={tool === 'move'} onSwitch={(isOn) => onTool(isOn ? 'move' : 'select')}>
        {dimensions === 3 ? t.map.turn : t.map.move}
      </Switch>
      <button
        type="button"
        className="button"
        aria-label={t.map.zoomIn}
        onClick={() => onView((view) => zoomBy(view, zoomStep))}
      >
        {'+'}
      </button>
      <button
        type="button"
        className="button"
        aria-label={t.map.zoomOut}
        onClick={() => onView((view) => zoomBy(view, 1 / zoomStep))}
      >
        {'−'}
      </button>
      <button
        type="button"
        className="button"
        onClick={() => onView(() => ({ ...firstView, dimensions }))}
      >
        {t.map.reset}
      </button>
    </fieldset>
  )
}

interface SwitchProps {
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
  readonly children: string
}

function Switch({ isOn, onSwitch, children }: SwitchProps) {
  return (
    <button
      type="button"
      className={isOn ? 'button on' : 'button'}
      aria-pressed={isOn}
      onClick={() => onSwitch(!isOn)}
    >
      {children}
    </button>
  )
}
