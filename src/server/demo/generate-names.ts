import { textList } from './life-data.ts'
import type { Random } from './random.ts'

export interface GeneratedNames {
  familyName: string
  lastName: string
  firstName: string
  middleName: string
  fatherName: string
  motherName: string
}

const capitalsShare = 0.04

// The middle name is the mother's maiden name, as is the custom.
export function generateNames(random: Random, sex: string): GeneratedNames {
  const familyName = random.pickCommon(surnames)
  const mothersFamily = random.pickCommon(surnames)
  const suffix = sex === 'Male' && random.chance(0.06) ? random.pick(suffixes) : ''
  const firstName = givenName(random, sex)
  const fatherFirst = suffix.startsWith('Jr') ? firstName : givenName(random, 'Male')
  const fatherSuffix = suffix.startsWith('Jr') ? ' Sr.' : ''
  const names = {
    familyName,
    // Some write a suffix after the first name, some after the last.
    ...withSuffix(random, { lastName: familyName, firstName }, suffix),
    middleName: random.chance(0.05) ? '' : mothersFamily,
    fatherName: random.chance(0.07)
      ? ''
      : `${fatherFirst} ${initialOf(random.pickCommon(surnames))}. ${familyName}${fatherSuffix}`,
    motherName: random.chance(0.05) ? '' : motherName(random, mothersFamily, familyName),
  }
  if (!random.chance(capitalsShare)) return names
  return {
    familyName: familyName.toUpperCase(),
    lastName: names.lastName.toUpperCase(),
    firstName: names.firstName.toUpperCase(),
    middleName: names.middleName.toUpperCase(),
    fatherName: names.fatherName.toUpperCase(),
    motherName: names.motherName.toUpperCase(),
  }
}

export function fullName(random: Random, familyName: string): string {
  return `${givenName(random, random.chance(0.6) ? 'Female' : 'Male')} ${familyName}`
}

function givenName(random: Random, sex: string): string {
  const first = random.pickCommon(sex === 'Male' ? maleNames : femaleNames)
  const seconds = sex === 'Male' ? secondMaleNames : secondNames
  const other = random.pick(seconds)
  if (first.includes(other) || random.chance(0.55)) return first
  const second = `${first} ${other}`
  // Three given names and more are common enough for lists to need the room.
  return random.chance(0.06)
    ? `${second} ${random.pickCommon(sex === 'Male' ? maleNames : femaleNames)}`
    : second
}

function withSuffix(random: Random, names: { lastName: string; firstName: string }, suffix: string) {
  if (suffix === '') return names
  return random.chance(0.5)
    ? { ...names, firstName: `${names.firstName} ${suffix}` }
    : { ...names, lastName: `${names.lastName}${random.chance(0.5) ? ',' : ''} ${suffix}` }
}

function motherName(random: Random, maidenName: string, marriedName: string): string {
  const first = givenName(random, 'Female')
  return random.weigh([
    [`${first} ${maidenName}`, 4],
    [`${first} ${maidenName} ${marriedName}`, 3],
    [`${first} ${maidenName}-${marriedName}`, 1],
    [`${first} ${initialOf(maidenName)}. ${marriedName}`, 3],
  ])
}

function initialOf(name: string): string {
  return name.charAt(0).toUpperCase()
}

const maleNames = textList(`
  John; Mark; Joshua; Angelo; Jerome; Christian; Miguel; Gabriel; Jayson; Kenneth; Juan; Jose; Paolo;
  Rafael; Carlo; Daniel; Emmanuel; Francis; Adrian; Aldrin; Reymark; Jomar; Rodel; Ronnel; Arvin; Kyle;
  Lance; Nathaniel; Vincent; Renz; Jericho; Jhon Lloyd; Dranreb; Jan-Michael; Ian Kirby; Abdul; Omar;
  Benigno; Andrés; Niño; Iñigo; Santino; Bayani; Lakandula; Datu Ali; Jejomar; Eleuterio; Crisanto;
  D'Angelo; John Paul; Mark Anthony; Juan Carlos; Prince Zion
`)

const femaleNames = textList(`
  Maria; Angel; Nicole; Princess; Mary; Jasmine; Kimberly; Angelica; Andrea; Bea; Camille; Christine;
  Danica; Erica; Francesca; Hannah; Jenny; Joyce; Kathleen; Lovely; Michelle; Patricia; Rica; Shaira;
  Trisha; Althea; Czarina; Mikaela; Rhea; Sofia; Mary Grace; Ma. Theresa; Ma. Luisa; Maria Niña; Niña;
  Begoña; Rose Ann; Mary-Ann; Anne-Marie; Lualhati; Ligaya; Dalisay; Fatima; Norhaya; Aisah; Concepcion;
  Milagros; Princess Joy; Kristel Mae; D'Anne; Precious Heart; Maria Clara; Luzviminda; Jhoanna
`)

const secondNames = textList(`
  Mae; Joy; Anne; Rose; Grace; Louise; Faith; Claire; Jean; Kate; Lyn; Marie
`)

const secondMaleNames = textList(`
  Paul; Carlo; Dave; Ian; James; Kevin; Lester; Luis; Miguel; Neil; Rey; Vince
`)

const surnames = textList(`
  Dela Cruz; Garcia; Reyes; Ramos; Mendoza; Santos; Flores; Gonzales; Bautista; Villanueva; Fernandez;
  Cruz; de Guzman; Lopez; Perez; Castillo; Francisco; Rivera; Aquino; Castro; Sanchez; Torres; de Leon;
  Domingo; Martinez; Rodriguez; Santiago; Soriano; delos Santos; Diaz; Hernandez; Tolentino; Valdez;
  Ramirez; Morales; Mercado; Tan; Aguilar; Navarro; Manalo; Gomez; Dizon; del Rosario; Javier; Corpuz;
  Gutierrez; Salvador; Velasco; Miranda; David; Salazar; Fajardo; Ferrer; Pascual; Alvarez; Sarmiento;
  Lim; Cabrera; Robles; Mallari; Pineda; Estrada; Samson; Galang; Agustin; Magsaysay; Macapagal;
  Dimaculangan; Catacutan; Panganiban; Manansala; Sumulong; Lacsamana; Macaraeg; Dimagiba; Batungbacal;
  Peña; Muñoz; Nuñez; Ordoñez; Ibañez; Castañeda; Zuñiga; Dueñas; Cariño; Niño; Yñiguez; Ocampo;
  Lualhati; Abad; Sy; Uy; Go; Ong; Chua; Yap; Co; Tiongson; de la Cruz; de la Peña; dela Rosa;
  dela Torre; de los Reyes; delos Reyes; de Jesus; del Mundo; San Juan; San Agustin; Sta. Maria;
  Sto. Domingo; D'Souza; O'Hara; D'Cruz; Villanueva-Santos; Reyes-Lim; Cruz-Mendoza; Abdullah; 
  Macarambon; Ungab; Bacaltos; Cabahug; Tagalog; Gatchalian; Ng; Baruel; Evangelista;
  Buenaventura; Villafuerte-Macapagal; Pangilinan; Katigbak; Dumlao; Quiambao; Quisumbing; Laurel; Ziga
`)

const suffixes = ['Jr.', 'Jr', 'II', 'III', 'IV'] as const
