import { describe, expect, test, vi } from 'vitest'
import { createPostalCodesService, loadPostalCodes } from './postal-codes.ts'

const service = createPostalCodesService({ load: loadPostalCodes })

async function namesFor(text: string): Promise<string[]> {
  return (await service.search(text)).map(({ municipality, province }) => `${municipality}, ${province}`)
}

describe('a search for municipalities', () => {
  test('gives the town with its province and ZIP code', async () => {
    expect(await service.search('bacoor')).toEqual([
      { municipality: 'Bacoor', province: 'Cavite', zipCode: '4102' },
    ])
  })

  test('ignores case and accents, in either direction', async () => {
    const biñan = { municipality: 'Biñan', province: 'Laguna', zipCode: '4024' }
    for (const text of ['binan', 'BIÑAN', 'Bin\u0303an', ' biñan ']) {
      expect(await service.search(text)).toContainEqual(biñan)
    }
    expect(await namesFor('paranaque')).toContain('Parañaque City, Metro Manila')
  })

  test('gives names that begin with the text first, then names in which a word does, then the others', async () => {
    const names = ['Lacarmen', 'Villa Carmen', 'Carmen', 'Carmona', 'Del Carmen', 'Imus']
    const own = createPostalCodesService({
      load: async () => names.map((municipality) => ({ municipality, province: 'Cebu', zipCode: '6000' })),
    })
    const found = (await own.search('carm')).map(({ municipality }) => municipality)
    expect(found).toEqual(['Carmen', 'Carmona', 'Del Carmen', 'Villa Carmen', 'Lacarmen'])
  })

  test('gives ten at most', async () => {
    expect(await service.search('san')).toHaveLength(10)
  })

  test('accepts a name with its province', async () => {
    expect(await namesFor('carmen, ceb')).toEqual(['Carmen, Cebu'])
  })

  test('gives nothing for an unknown name', async () => {
    expect(await service.search('xyzzy')).toEqual([])
    expect(await service.search('.*')).toEqual([])
  })

  test('reads the data once', async () => {
    const load = vi.fn(async () => [{ municipality: 'Imus', province: 'Cavite', zipCode: '4103' }])
    const own = createPostalCodesService({ load })
    expect(load).not.toHaveBeenCalled()
    await Promise.all([own.search('im'), own.search('imus')])
    expect(load).toHaveBeenCalledOnce()
  })

  test('retries loading after a failure', async () => {
    const load = vi
      .fn(async () => [{ municipality: 'Imus', province: 'Cavite', zipCode: '4103' }])
      .mockRejectedValueOnce(new Error('no file handles left'))
    const own = createPostalCodesService({ load })
    await expect(own.search('imus')).rejects.toThrow('no file handles left')
    expect(await own.search('imus')).toHaveLength(1)
  })
})

describe('municipalities as people write them', () => {
  test('have the cities of Metro Manila as cities, with the code of the whole city', async () => {
    const cities = (await loadPostalCodes()).filter(
      ({ municipality, province }) => province === 'Metro Manila' && !municipality.includes(','),
    )
    expect(Object.fromEntries(cities.map(({ municipality, zipCode }) => [municipality, zipCode]))).toEqual({
      Manila: '1000',
      'Caloocan City': '1400',
      'Las Piñas City': '1740',
      'Makati City': '1200',
      'Malabon City': '1470',
      'Mandaluyong City': '1550',
      'Marikina City': '1800',
      'Muntinlupa City': '1770',
      'Navotas City': '1485',
      'Parañaque City': '1700',
      'Pasay City': '1300',
      'Pasig City': '1600',
      Pateros: '1620',
      'Quezon City': '1100',
      'San Juan City': '1500',
      'Taguig City': '1630',
      'Valenzuela City': '1440',
    })
  })

  test('have the districts of a city under it', async () => {
    expect((await service.search('batasan hills'))[0]).toEqual({
      municipality: 'Batasan Hills, Quezon City',
      province: 'Metro Manila',
      zipCode: '1126',
    })
  })

  test('leave out companies and box offices', async () => {
    expect(await namesFor('american express')).toEqual([])
    expect(await namesFor('p.o. boxes')).toEqual([])
  })

  test('give a town with two names under both, a former name not at all', async () => {
    expect(await namesFor('rodriguez')).toContain('Rodriguez, Rizal')
    expect(await namesFor('montalban')).toContain('Montalban, Rizal')
    expect(await namesFor('karomatan')).toEqual([])
    expect(await namesFor('sultan naga')).toEqual(['Sultan Naga Dimaporo, Lanao del Norte'])
  })

  test('are in the provinces of today', async () => {
    const codes = await loadPostalCodes()
    const countOf = (name: string) => codes.filter(({ province }) => province === name).length
    expect(countOf('Maguindanao')).toBe(0)
    // Twelve municipalities, one of them under two names, and Cotabato City.
    expect(countOf('Maguindanao del Norte')).toBe(14)
    expect(countOf('Maguindanao del Sur')).toBe(24)
    expect(countOf('Compostela Valley')).toBe(0)
    expect(countOf('Davao de Oro')).toBe(11)
    expect(await namesFor('datu odin')).toEqual(['Datu Odin Sinsuat, Maguindanao del Norte'])
    expect(await namesFor('buluan')).toContain('Buluan, Maguindanao del Sur')
  })

  test('all have a name, a province and four digits', async () => {
    const codes = await loadPostalCodes()
    expect(codes.length).toBeGreaterThan(2_000)
    for (const { municipality, province, zipCode } of codes) {
      expect(municipality).toMatch(/^\S.*\S$/)
      expect(municipality).not.toMatch(/[()]$/)
      expect(province).toMatch(/^\S.*\S$/)
      expect(zipCode).toMatch(/^\d{4}$/)
    }
  })
})
