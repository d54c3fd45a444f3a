import { count } from '../format.ts'

const numbers = new Intl.NumberFormat('en')

export const map = {
  lede: 'Memories with a similar meaning are near each other. Draw a line around some to list them.',
  none: 'No map yet',
  noneText: 'It appears when memories have vectors.',
  computing: 'The map is being drawn',
  computingText: 'It appears by itself.',
  label: (value: number) => `${count(value, 'point', 'points')}; the list below has the same`,
  tools: 'Map tools',
  filter: 'Show texts with',
  colourBy: 'Colour by',
  colourings: { type: 'Colour by type', who: 'Colour by speaker', time: 'Colour by age' },
  legend: 'Colours',
  other: 'all others',
  ages: { day: 'today', week: 'this week', month: 'this month', older: 'older' },
  depth: '3-D',
  move: 'Move',
  turn: 'Turn',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  reset: 'Whole map',
  selected: 'Selected',
  selectedOf: (value: number, total: number) =>
    `${numbers.format(value)} of ${numbers.format(total)}`,
  moreSelected: (value: number) =>
    `${count(value, 'more', 'more')}. Draw a smaller line to list them.`,
  clear: 'Clear the selection',
}
