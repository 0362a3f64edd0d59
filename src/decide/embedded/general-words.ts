import { stem } from './stem.ts'
import { forEachTerm } from './terms.ts'

/**
 * Words of requests that name no subject: function words, and what one says of the talk itself ("rewrite
 * your last answer in a shorter form", "are you sure?"). A request of these alone points at what was said
 * just before, and its words are no sign of what it needs. Written by hand.
 */
const WORDS = `
a an the this that these those it its itself one ones other others another same such both all any some none each every
either neither few many much more most less least several enough lot bit little
i me my mine myself you your yours yourself he him his himself she her hers herself we us our ours they them their theirs
who whom whose which what when where why how whatever however there here then now
am is are was were be been being do does did done doing have has had having can could will would shall should may might must
ought need let lets want wanna gonna like please try
and or but nor so yet if unless because since although though while whereas as than whether until till
in on at by for with without about above across after against along among around before behind below beneath beside between
beyond down during except from inside into near of off onto out outside over past per through throughout to toward towards
under up upon via within
not no yes yeah yep nope ok okay sure right alright fine maybe perhaps probably actually really just only even also too very quite
rather still already again ever never always often sometimes almost else instead anyway well oh ah hey hi hello hmm thanks
thank thx sorry bye welcome great good nice cool perfect awesome excellent amazing wonderful bad better best worse worst
first second third next last previous former latter earlier later final finally initially before recent
answer answers reply response respond question questions ask asked request say said saying tell told mean means meant
talk speak mention mentioned refer discuss explain explanation describe description clarify elaborate elaboration
detail details detailed expand summarize summarise summary shorten short shorter long longer brief briefly concise simple
simpler simplify simplified rewrite rephrase reword restate paraphrase revise revised rework edit improve improved adjust modify
change changed changes convert turn transform translate format formatted version text sentence sentences paragraph paragraphs word
words list bullet point points step steps table example examples instance sample give given gave provide provided show shown
make made makes making create write written wrote generate add added include including use used using keep put get got take
go goes going come continue proceed repeat redo undo retry stop start begin finish complete follow following
think thought know knew understand understood believe suppose guess wonder see look seem check verify confirm sure certain
correct incorrect wrong mistake mistaken error true false accurate inaccurate doubt agree disagree reconsider different similar
thing things something anything everything nothing someone anyone everyone stuff way form forms style tone kind sort type part rest idea
help work works possible able based consider considering regarding
`

const FOREIGN_WORDS = `
ja nein bitte danke weiter nochmal noch mal das der die den und ist es mach
oui non merci encore continue le la les et est ce ça refais
sí si no gracias por favor otra vez sigue continúa el los las y es eso hazlo
да нет спасибо ещё раз продолжай это
继续 好的 谢谢 再来 再说 一次 一遍 可以 为什么 什么 怎么 请问 不对 是的
続けて もう一度 はい いいえ ありがとう お願いします なぜ
계속 다시 네 아니요 감사합니다
`

let known: ReadonlySet<string> | undefined

/** Whether a term, stemmed as `forEachTerm` gives it, names nothing. A single letter or figure never does. */
export function isGeneral(term: string): boolean {
  known ??= readWords()
  return term.length < 2 || known.has(term)
}

function readWords(): ReadonlySet<string> {
  const words = new Set(WORDS.trim().split(/\s+/).map(stem))
  forEachTerm(FOREIGN_WORDS, (term) => words.add(term))
  return words
}
