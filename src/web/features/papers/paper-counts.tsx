import type { Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { Cell, DataTable } from '#web/components/data-table.tsx'
import { Hint } from '#web/components/hint.tsx'
import { figureText } from '#web/lib/number-texts.ts'

const lists = [
  { name: 'enrolment', label: 'Enrollment' },
  { name: 'graduates', label: 'Graduates' },
] as const

interface PaperCountsProps {
  paper: Pick<Paper, 'components'>
  counts: PaperCheck['counts']
  /** How many are counted and not listed by name; in a draft, where that can be changed. */
  unlisted?: number
}

/** The counts of a paper's Summary, and the reason when it lists fewer people by name. */
export function PaperCounts({ paper, counts, unlisted = 0 }: PaperCountsProps) {
  const components = paper.components.filter((name) =>
    lists.some((list) => counts[list.name][name].Male + counts[list.name][name].Female > 0),
  )
  const totalOf = (list: (typeof lists)[number]['name']) =>
    components.reduce((sum, name) => sum + counts[list][name].Male + counts[list][name].Female, 0)
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        caption="Whom the paper counts, male (m) and female (f)"
        isDense
        heads={['List', ...components, 'Total']}
        className="w-fit max-w-full max-md:[&_:is(td,th)]:px-2"
      >
        {lists
          .filter(({ name }) => totalOf(name) > 0)
          .map(({ name, label }) => (
            <tr key={name}>
              <Cell className="font-semibold">{label}</Cell>
              {components.map((component) => {
                const { Male, Female } = counts[name][component]
                return (
                  <Cell key={component} className="tabular-nums">
                    {figureText(Male + Female)}{' '}
                    <span className="text-muted max-md:block max-md:text-xs max-md:whitespace-nowrap">
                      {figureText(Male)} m, {figureText(Female)} f
                    </span>
                  </Cell>
                )
              })}
              <Cell className="font-semibold tabular-nums">{figureText(totalOf(name))}</Cell>
            </tr>
          ))}
      </DataTable>
      {unlisted > 0 && (
        <Hint>
          {figureText(unlisted)} of ROTC are counted and not listed by name: choose “List ROTC too” in Edit to
          list them.
        </Hint>
      )}
    </div>
  )
}
