import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { type MarkingScale, markNumber, mostInMark, outcomeOf, writtenMark } from './marking.ts'
import { sectionMessages } from './terms.ts'

/** The columns of the certificate of grades that a part can fill, with the per cent that their heads name. */
export const cogColumns = { attendance: 30, attitude: 30, midterm: 20, final: 20 } as const
export type CogColumn = keyof typeof cogColumns
export const cogColumnNames = ['attendance', 'attitude', 'midterm', 'final'] as const satisfies CogColumn[]

/** A part with the lowest per cent 50 counts raw ÷ items × 50 + 50. */
export const lowestPerCents = [0, 50] as const
export const attendanceMeasures = ['days', 'hours'] as const
/** What an excused day is in the attendance part. */
export const excusedWays = ['left out', 'attended', 'absent'] as const

export const schemeLimits = { parts: 10, name: 40, key: 36, top: 1_000, minimums: 5, bounds: 101 } as const

export const schemeMessages = {
  component: sectionMessages.component,
  changed: 'Somebody else changed these parts meanwhile. Please close this form and look at them again.',
  parts: `Please enter 1 to ${schemeLimits.parts} parts.`,
  key: 'Please send each part with a key of its own.',
  weight: 'Please enter the weight as a whole number from 1 to 100.',
  weights: (sum: number) => `The weights add up to ${sum}. Please make them 100.`,
  top: 'Please enter the top score: a number from 1 to 1,000.',
  lowest: 'Please choose the lowest per cent.',
  sameName: 'Another part has this name. Please enter a different one.',
  column: 'Please choose a column of the COG, or none.',
  columnTwice: 'Another part fills this column. Please choose one part.',
  columnWeight: (column: CogColumn) =>
    `This column is headed ${cogColumns[column]}%. Please give the part that weight, or choose no column.`,
  attendance: 'Please choose how attendance is counted.',
  attendanceTwice: 'Only one part can be attendance.',
  minimum: 'Please choose parts, and enter fewer points than they can give.',
  passing: 'Please enter the passing per cent: a number from 1 to 100.',
  decimals: 'Please choose how the per cent is rounded.',
  bounds: 'Please enter lines such as 75 3.00: from which per cent, and the mark. The highest comes first.',
  mark: (mark: string) => `${mark} is no mark between the best and the worst one of the settings.`,
  order: (mark: string) => `${mark} is better than the mark above it. Please put them in order.`,
  edge: (passing: number) =>
    `Marks must pass exactly from ${passing} per cent: a passing mark begins there, and a lower line fails.`,
} as const

const hasTwoDecimals = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6

const decimal = (least: number, most: number, message: string) =>
  z.number(message).check(
    z.minimum(least, message),
    z.maximum(most, message),
    z.refine((value) => hasTwoDecimals(value), message),
  )

const partSchema = z.strictObject(
  {
    // Scores are stored under it: another name keeps them.
    key: z.string(schemeMessages.key).check(z.regex(/^[\w-]{1,36}$/, schemeMessages.key)),
    name: line('name of the part', schemeLimits.name),
    weight: z
      .int(schemeMessages.weight)
      .check(z.minimum(1, schemeMessages.weight), z.maximum(100, schemeMessages.weight)),
    top: decimal(1, schemeLimits.top, schemeMessages.top),
    lowest: z.literal(lowestPerCents, schemeMessages.lowest),
    column: z.nullable(z.enum(cogColumnNames, schemeMessages.column)),
    // Null: the score is typed.
    attendance: z.nullable(
      z.strictObject(
        {
          measure: z.enum(attendanceMeasures, schemeMessages.attendance),
          excused: z.enum(excusedWays, schemeMessages.attendance),
        },
        shapeError(schemeMessages.attendance),
      ),
    ),
  },
  shapeError('Please send the parts of the mark.'),
)

const boundSchema = z.strictObject(
  {
    from: decimal(0, 100, schemeMessages.bounds),
    mark: z
      .string(schemeMessages.bounds)
      .check(z.overwrite(writtenMark), z.maxLength(mostInMark, schemeMessages.bounds)),
  },
  shapeError(schemeMessages.bounds),
)

const scaleSchema = z.strictObject(
  {
    passing: decimal(1, 100, schemeMessages.passing),
    // Decimals to which the per cent is rounded, half up, before its mark is looked up.
    decimals: z.literal([0, 1, 2], schemeMessages.decimals),
    bounds: z.array(boundSchema, schemeMessages.bounds).check(
      z.minLength(2, schemeMessages.bounds),
      z.maxLength(schemeLimits.bounds, schemeMessages.bounds),
      z.refine(
        (bounds) => bounds.every(({ from }, index) => index === 0 || from < (bounds[index - 1]?.from ?? 0)),
        schemeMessages.bounds,
      ),
    ),
  },
  shapeError('Please send the scale.'),
)

const minimumSchema = z.strictObject(
  {
    parts: z
      .array(z.string(schemeMessages.minimum), schemeMessages.minimum)
      .check(z.minLength(1, schemeMessages.minimum), z.maxLength(schemeLimits.parts, schemeMessages.minimum)),
    // Points of the weights: 28 of 40.
    points: decimal(1, 100, schemeMessages.minimum),
  },
  shapeError(schemeMessages.minimum),
)

/** What is wrong between the parts: at its path, with the sentence. */
function* faultsOf({ parts, minimums }: Pick<MarkScheme, 'parts' | 'minimums'>) {
  const sum = parts.reduce((total, { weight }) => total + weight, 0)
  if (sum !== 100) yield { path: ['parts', parts.length - 1, 'weight'], message: schemeMessages.weights(sum) }
  for (const [index, part] of parts.entries()) {
    for (const [field, message] of faultsBehind(part, parts.slice(0, index))) {
      yield { path: ['parts', index, field], message }
    }
  }
  for (const [index, minimum] of minimums.entries()) {
    const own = parts.filter(({ key }) => minimum.parts.includes(key))
    const most = own.reduce((total, { weight }) => total + weight, 0)
    if (own.length !== new Set(minimum.parts).size || minimum.points >= most) {
      yield { path: ['minimums', index, 'points'], message: schemeMessages.minimum }
    }
  }
}

function faultsBehind(part: SchemePart, earlier: readonly SchemePart[]): [string, string][] {
  const { key, name, attendance, column, weight } = part
  const has = (is: (other: SchemePart) => boolean) => earlier.some(is)
  const faults: [isFault: boolean, field: string, message: string][] = [
    [has((other) => other.key === key), 'key', schemeMessages.key],
    [has((other) => other.name.toLowerCase() === name.toLowerCase()), 'name', schemeMessages.sameName],
    [
      attendance !== null && has((other) => other.attendance !== null),
      'attendance',
      schemeMessages.attendanceTwice,
    ],
  ]
  if (column !== null) {
    faults.push(
      [has((other) => other.column === column), 'column', schemeMessages.columnTwice],
      [cogColumns[column] !== weight, 'column', schemeMessages.columnWeight(column)],
    )
  }
  return faults.flatMap(([isFault, field, message]) => (isFault ? [[field, message]] : []))
}

export const markSchemeSchema = z
  .strictObject(
    {
      parts: z
        .array(partSchema, schemeMessages.parts)
        .check(z.minLength(1, schemeMessages.parts), z.maxLength(schemeLimits.parts, schemeMessages.parts)),
      minimums: z
        .array(minimumSchema, schemeMessages.minimum)
        .check(z.maxLength(schemeLimits.minimums, schemeMessages.minimum)),
      scale: scaleSchema,
    },
    shapeError('Please send the parts, the minimums and the scale.'),
  )
  .check(
    z.check(({ value, issues }) => {
      for (const { path, message } of faultsOf(value)) {
        issues.push({ code: 'custom', message, input: value, path })
      }
    }),
  )

export const schemeChangeSchema = z.strictObject(
  {
    component: z.enum(nstpComponents, schemeMessages.component),
    // Null: marks are typed.
    scheme: z.nullable(markSchemeSchema),
    // The scheme over which the change is made: what somebody else saved meanwhile is kept.
    seen: z.optional(z.nullable(markSchemeSchema)),
  },
  shapeError('Please send the component and its parts.'),
)

export type MarkScheme = z.output<typeof markSchemeSchema>
export type SchemePart = MarkScheme['parts'][number]
export type PercentScale = MarkScheme['scale']
export type SchemeChange = z.output<typeof schemeChangeSchema>

/**
 * What keeps a scale from the school's marking: each mark is one, they get worse downwards, and they pass exactly from
 * the passing per cent.
 * @returns undefined if it fits
 */
export function scaleFault({ passing, bounds }: PercentScale, marking: MarkingScale): string | undefined {
  const isDown = markNumber(marking.best) < markNumber(marking.worst)
  for (const [index, { mark }] of bounds.entries()) {
    const outcome = outcomeOf(mark, marking)
    if (outcome !== 'passed' && outcome !== 'failed') return schemeMessages.mark(mark || '(empty)')
    const before = markNumber(bounds[index - 1]?.mark ?? mark)
    const isBetter = isDown ? markNumber(mark) < before : markNumber(mark) > before
    if (isBetter) return schemeMessages.order(mark)
  }
  const isExact =
    bounds.some(({ from }) => from === passing) &&
    bounds.every(({ from, mark }) => from >= passing === (outcomeOf(mark, marking) === 'passed')) &&
    outcomeOf(bounds.at(-1)?.mark ?? '', marking) === 'failed'
  return isExact ? undefined : schemeMessages.edge(passing)
}

const boundsOf = (steps: string): PercentScale['bounds'] =>
  steps.split(', ').map((step) => {
    const [from = '', mark = ''] = step.split(' ')
    return { from: Number(from), mark }
  })

/** Unverified: schools share no table. */
export const scalePresets: readonly { name: string; scale: PercentScale }[] = [
  {
    name: '1.00 from 97',
    scale: {
      passing: 75,
      decimals: 0,
      bounds: boundsOf(
        '97 1.00, 94 1.25, 91 1.50, 88 1.75, 85 2.00, 82 2.25, 79 2.50, 76 2.75, 75 3.00, 0 5.00',
      ),
    },
  },
  {
    name: '1.00 from 99',
    scale: {
      passing: 75,
      decimals: 0,
      bounds: boundsOf(
        '99 1.00, 96 1.25, 93 1.50, 90 1.75, 87 2.00, 84 2.25, 81 2.50, 78 2.75, 75 3.00, 0 5.00',
      ),
    },
  },
  {
    name: 'The per cent itself',
    scale: {
      passing: 75,
      decimals: 0,
      bounds: Array.from({ length: 101 }, (_, index) => ({ from: 100 - index, mark: String(100 - index) })),
    },
  },
]

const typed = { top: 100, lowest: 0, attendance: null } as const

const rotcParts: readonly SchemePart[] = [
  {
    ...{ key: 'attendance', name: 'Attendance', weight: 30, top: 100, lowest: 0, column: 'attendance' },
    attendance: { measure: 'days', excused: 'left out' },
  },
  { ...typed, key: 'attitude', name: 'Aptitude', weight: 30, column: 'attitude' },
  { ...typed, key: 'midterm', name: 'Midterm examination', weight: 20, column: 'midterm' },
  { ...typed, key: 'final', name: 'Final examination', weight: 20, column: 'final' },
]

export const partPresets: readonly { name: string; parts: readonly SchemePart[] }[] = [
  { name: 'ROTC (30, 30, 20 + 20)', parts: rotcParts },
]

/** What the form begins with, until the office saves parts: nothing is counted by it before. */
export function proposedScheme(component: NstpComponent, marking: MarkingScale): MarkScheme {
  const scale = scalePresets.find((preset) => scaleFault(preset.scale, marking) === undefined)?.scale
  return {
    parts: component === 'ROTC' ? [...rotcParts] : [],
    minimums: [],
    scale: scale ?? { passing: 75, decimals: 0, bounds: [] },
  }
}
