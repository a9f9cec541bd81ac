import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import readWorkbook from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import type { Column } from './workbook.ts'
import { createSheet, writeSheets, writeWorkbook } from './workbook.ts'

interface Sample {
  text: string
  number: number | null
  date: string
  instant: Date | null
}

const columns: Column<Sample>[] = [
  { header: 'Text', width: 20, kind: 'text', value: (row) => row.text },
  { header: 'Number', width: 10, kind: 'number', value: (row) => row.number },
  { header: 'Date', width: 12, kind: 'date', value: (row) => row.date },
  { header: 'Instant', width: 17, kind: 'instant', value: (row) => row.instant },
]

async function* each<T>(rows: Iterable<T>) {
  for (const row of rows) yield [row]
}

function sample(overrides: Partial<Sample> = {}): Sample {
  return { text: '', number: null, date: '', instant: null, ...overrides }
}

function write(rows: AsyncIterable<Sample[]>) {
  return writeWorkbook({
    title: 'Samples',
    sheetName: 'Samples',
    created: new Date('2026-11-20T00:00:00Z'),
    timeZone: 'Asia/Manila',
    columns,
    rows,
  })
}

async function roundTrip(...rows: Sample[]) {
  const sheets = await readWorkbook(await buffer(write(each(rows))), { trim: false })
  return sheets[0]?.data.slice(1) ?? []
}

describe('a written workbook', () => {
  test('has its sheet name and header', async () => {
    const sheets = await readWorkbook(await buffer(write(each([]))))
    expect(sheets).toEqual([{ sheet: 'Samples', data: [['Text', 'Number', 'Date', 'Instant']] }])
  })

  test('writes numbers, dates and instants as such, instants in the time zone', async () => {
    const [row] = await roundTrip(
      sample({ number: 3, date: '2006-02-28', instant: new Date('2026-11-20T23:30:15Z') }),
    )
    expect(row?.[1]).toBe(3)
    expect(row?.[2]).toEqual(new Date('2006-02-28T00:00:00Z'))
    // 07:30:15 on the next morning in Manila. Days as fractions are exact to less than a millisecond.
    const instant = row?.[3]
    const difference = instant instanceof Date ? instant.getTime() - Date.UTC(2026, 10, 21, 7, 30, 15) : NaN
    expect(Math.abs(difference)).toBeLessThan(2)
  })

  test('leaves missing values empty', async () => {
    expect(await roundTrip(sample({ text: 'x' }))).toEqual([['x', null, null, null]])
  })

  test('writes a date outside of the calendar of spreadsheets as text', async () => {
    const [row] = await roundTrip(sample({ date: '1899-12-31' }))
    expect(row?.[2]).toBe('1899-12-31')
  })

  test.each(['=1+1', '+63 917 123 4567', '-5', '@SUM(A1)', '\t=1', "=cmd|' /C calc'!A0"])(
    'keeps %j as text',
    async (text) => {
      expect((await roundTrip(sample({ text })))[0]?.[0]).toBe(text)
    },
  )

  test.each(['0917', '0042', '1E5', '2026-01-02', 'TRUE'])('writes the code %j as text', async (text) => {
    expect((await roundTrip(sample({ text })))[0]?.[0]).toBe(text)
  })

  test.each([
    'Peña & Sons <"x"> \u{1f600}',
    '  spaces around  ',
    'two\nlines',
    'return\r\nand feed',
    'null \u0000 and bell \u0007',
    '_x0041_ typed as such',
    '_x005F_x000D_',
    'not a character \uffff',
  ])('writes every character of %j', async (text) => {
    expect((await roundTrip(sample({ text })))[0]?.[0]).toBe(text)
  })

  test('replaces half a surrogate pair instead of breaking the file', async () => {
    expect((await roundTrip(sample({ text: 'a\ud83d' })))[0]?.[0]).toBe('a\ufffd')
  })

  test('cuts a text at the limit of a cell', async () => {
    const [row] = await roundTrip(sample({ text: 'x'.repeat(40_000) }))
    expect(row?.[0]).toBe('x'.repeat(32_767))
  })
})

describe('a workbook of several sheets', () => {
  test('has each with its own columns and rows, in their order', async () => {
    const people: Column<{ name: string }>[] = [
      { header: 'Name', width: 20, kind: 'text', value: ({ name }) => name },
    ]
    const workbook = writeSheets({
      title: 'Two',
      created: new Date('2026-11-20T00:00:00Z'),
      timeZone: 'Asia/Manila',
      sheets: [
        createSheet('Samples', columns, each([sample({ text: 'x', number: 1 })])),
        createSheet("Who's who", people, [{ name: 'Peña' }, { name: 'Reyes' }]),
        createSheet('Nobody', people, []),
      ],
    })
    expect(await readWorkbook(await buffer(workbook))).toEqual([
      {
        sheet: 'Samples',
        data: [
          ['Text', 'Number', 'Date', 'Instant'],
          ['x', 1, null, null],
        ],
      },
      { sheet: "Who's who", data: [['Name'], ['Peña'], ['Reyes']] },
      { sheet: 'Nobody', data: [['Name']] },
    ])
  })

  test('breaks off when the rows of a later sheet fail', async () => {
    async function* failing() {
      yield [sample({ text: 'x' })]
      throw new Error('the database connection was lost')
    }
    const workbook = writeSheets({
      title: 'Two',
      created: new Date('2026-11-20T00:00:00Z'),
      timeZone: 'Asia/Manila',
      sheets: [createSheet('Whole', columns, [sample()]), createSheet('Half', columns, failing())],
    })
    await expect(buffer(workbook)).rejects.toThrow('the database connection was lost')
  })
})

describe('streaming', () => {
  test('reads rows only as fast as the workbook is consumed', async () => {
    let taken = 0
    async function* endless() {
      for (;;) {
        taken += 1
        // Random text, so that compression can't hide what is written.
        yield [sample({ text: Math.random().toString(36).repeat(50) })]
      }
    }
    const workbook = write(endless())
    workbook.once('readable', () => workbook.read(1))
    // It comes to rest: how soon is a matter of the machine.
    for (let before = -1; taken !== before && taken < 20_000; ) {
      before = taken
      await wait(200)
    }
    expect(taken).toBeLessThan(20_000)
    workbook.destroy()
  })

  test('ends the rows when the reader cancels', async () => {
    let taken = 0
    let ended = false
    async function* rows() {
      try {
        for (;;) {
          taken += 1
          yield [sample({ text: 'x'.repeat(5_000) })]
          await wait(1)
        }
      } finally {
        ended = true
      }
    }
    const workbook = write(rows())
    workbook.resume()
    await expect.poll(() => taken).toBeGreaterThan(1)
    workbook.destroy()
    await expect.poll(() => ended).toBe(true)
  })

  test('fails when the rows fail, so that no partial workbook looks complete', async () => {
    async function* failing() {
      yield [sample({ text: 'x' })]
      throw new Error('the database connection was lost')
    }
    await expect(buffer(write(failing()))).rejects.toThrow('the database connection was lost')
  })
})
