import { type Bench, isQuick } from './bench.ts'
import { studentsFile, timeImport } from './import-time.ts'
import { readerRows, textFile, timeReader, workbookOfFormats } from './reader-time.ts'
import { atMost, type Figure, format } from './report.ts'

const count = 10_000
const beside = isQuick ? 10_000 : 100_000

export async function measureImports({ product, database, cookie }: Bench): Promise<Figure[]> {
  await database.refill(beside)
  const { upload, check, run, imported, listP99 } = await timeImport(
    product.port,
    cookie,
    await studentsFile(count),
  )
  const total = upload + check + run
  const workbook = await timeReader(await workbookOfFormats(), 'bench.xlsx')
  const text = await timeReader(textFile(), 'bench.csv')
  return [
    {
      what: `import of ${count.toLocaleString('en')} rows beside ${beside.toLocaleString('en')} records, from the upload to the records`,
      product: `${format(total)} s (upload ${format(upload)}, check ${format(check)}, import ${format(run)}; ${imported.toLocaleString('en')} imported; a page of the list meanwhile p99 ${format(listP99)} ms)`,
      reference: '',
      aim: atMost(total, 60, ' s'),
    },
    {
      what: `processor time to read ${readerRows.toLocaleString('en')} rows of ten columns, half of them with number formats`,
      product: `workbook ${format(workbook)} ms, CSV ${format(text)} ms`,
      reference: '',
      aim: '',
    },
  ]
}
