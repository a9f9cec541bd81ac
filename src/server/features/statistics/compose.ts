import {
  type CourseRank,
  countedYearLevels,
  genderRatio,
  percentOf,
  popularCourses,
  type Share,
  type Statistics,
  unknownCourse,
  type YearLevelShare,
} from '#shared/statistics.ts'
import type { BucketCount, ValueCount } from './repository.ts'

type Counted = Pick<
  Statistics,
  'total' | 'rotc' | 'cwts' | 'lts' | 'archived' | 'gender' | 'courses' | 'yearLevels'
>

const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)

/** The figures and shares that the page shows, from the counts as they are kept. */
export function composeStatistics(buckets: readonly BucketCount[], values: readonly ValueCount[]): Counted {
  const total = sum(buckets)
  const share = (count: number): Share => ({ count, percent: percentOf(count, total) })
  const ofComponent = (name: string) => share(sum(buckets.filter(({ component }) => component === name)))
  const byValue = (facet: ValueCount['facet']) =>
    new Map(values.filter((entry) => entry.facet === facet).map(({ value, count }) => [value, count]))

  const sexes = byValue('sex')
  const male = sexes.get('male') ?? 0
  const female = sexes.get('female') ?? 0
  return {
    total,
    rotc: ofComponent('ROTC'),
    cwts: ofComponent('CWTS'),
    lts: ofComponent('LTS'),
    archived: share(sum(buckets.filter(({ archived }) => archived))),
    gender: {
      male: share(male),
      female: share(female),
      other: share(total - male - female),
      ratio: genderRatio(male, female),
    },
    courses: rankCourses(byValue('course'), share),
    yearLevels: levelShares(byValue('yearLevel'), total, share),
  }
}

function rankCourses(counts: ReadonlyMap<string, number>, share: (count: number) => Share): CourseRank[] {
  const named = new Map<string, number>()
  for (const [course, count] of counts) {
    const name = course === '' ? unknownCourse : course
    named.set(name, (named.get(name) ?? 0) + count)
  }
  const top = [...named]
    .filter(([, count]) => count > 0)
    // Equal counts in the order of their names, so that they don't change places from look to look.
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, popularCourses)
  const most = top[0]?.[1] ?? 0
  return top.map(([course, count], index) => ({
    rank: index + 1,
    course,
    ...share(count),
    bar: percentOf(count, most),
  }))
}

function levelShares(
  counts: ReadonlyMap<string, number>,
  total: number,
  share: (count: number) => Share,
): YearLevelShare[] {
  const levels = countedYearLevels.map((yearLevel) => ({
    yearLevel,
    ...share(counts.get(String(yearLevel)) ?? 0),
  }))
  return [...levels, { yearLevel: null, ...share(total - sum(levels)) }]
}
