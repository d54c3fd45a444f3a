/** Foreign words that are English words of another meaning: a text with them is no translation. */
const words = new Set(
  `
  accord action actual aide aime air alter alto anime arena arme auto ave axe backe bad balance
  bald band banda bande bar bart bas baskets belle best bete bitten bon bonde boot boutique
  brackets branche brand brief bulletin bureau burger but cache cal calle campo cano canon carbon
  carriere caution cave cent chaine champ chance charge chat chef cher chose circulation coin
  collar come commande commander commence conception conductor content cor corne corps cost costume
  cote couche coup coupe course courses crane crochet cure de debut decke demi dent depot des dick
  dicke director disco divers diversion dos dose engagement epice escape essence etat excursion
  expedition extras fell fern fil file fille filles fils fin firme flut fonte foot for formation
  fort four fresco front fuller gang gaz gel gene gens gift golf golfe gorge gotten grab grad grand
  grande grange grave gripe gut habite habits hair handy hang hart hate held hell herd hose hote
  hut importe impression inferior informe inscription invite isolation joint journal juge junta
  kind lac lack laden laid land lang large last lent lente lever lied lime linke links listen lit
  location locker lose lost lowe main mains mal man manga mango manner mar marche mare marie marke
  mat match mayor media mer mere mesa messe messing mille mist mite mode moor mowe mude musique
  note occasion on os page pain pan papa par parent partition pass passe pastor pate pates patron
  pays pere personal petite pie piece pieces pies pile place plan plant plat plateau plier plume
  plus pont port portable porte porter poste pot pre premier premiere pres prima prime primer prix
  probe promenade prune pub pute queue quote radio raide raisin rama rame range ranger rape rat
  rate raye recipient recipiente red rede reduction regal regime rente repertoire repetition
  reporte reporter reserve reservoir resorte resume reunion revision rio robe rock rolle roller
  roman rot rouge route rube rue sac sage sale salle salon sang sauce scene see selle service sieg
  siege singe singular socio sol solde son spende spur stage stall stand stark stein stern stock
  store strand stuck suede suite superior supporter sur tag tage tal taste teller temps
  tension terrain tier tiere tir tod ton tonne tor tour trainer tres vague vale vent vente ventes
  verse via vin vis voyage wade wand ware welle`
    .trim()
    .split(/\s+/),
)

export function isFalseFriend(word: string): boolean {
  return words.has(word)
}
