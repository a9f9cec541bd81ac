import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { expect, test } from 'vitest'
import { accessOf, officeItself } from '#server/lib/access.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { inScope, whereInScope } from './conditions.ts'
import { everyone, matchesFilters } from './student-counts/count-sql.ts'

const db = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const coordinator = (...components: NstpComponent[]) => accessOf({ role: 'coordinator', components })

test("an office-wide account's statements have no condition of components", () => {
  for (const access of [officeItself, coordinator()]) {
    expect(inScope(access)).toBeUndefined()
    expect(sql`from students${whereInScope(access)}`.compile(db).sql).toBe('from students')
    expect(matchesFilters({ ...everyone, access }).compile(db).sql).toBe('true')
  }
})

test.each([
  [[], 'ROTC', 'nstp_component = $1', ['ROTC']],
  [['CWTS'], 'all', 'nstp_component = $1', ['CWTS']],
  [['CWTS'], 'CWTS', 'nstp_component = $1', ['CWTS']],
  [['CWTS'], 'ROTC', 'false', []],
  [['CWTS', 'LTS'], 'LTS', 'nstp_component = $1', ['LTS']],
  [['CWTS', 'LTS'], 'all', 'nstp_component = any($1::text[])', [['CWTS', 'LTS']]],
] satisfies [NstpComponent[], string, string, unknown[]][])(
  'of %s and the filter %s',
  (components, component, text, values) => {
    const filters = { ...everyone, component, access: coordinator(...components) }
    const { sql: compiled, parameters } = matchesFilters(filters).compile(db)
    expect([compiled, parameters]).toEqual([text, values])
  },
)
