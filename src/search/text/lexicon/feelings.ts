/** Feelings, character and thought: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const feelings = `
  feeling emotion felt | gefühl fühlen emotion gefühlt | sentimiento sentir emoción | sentiment sentir émotion | 感觉 情感
  mood | stimmung laune | humor ánimo | humeur | 心情 情绪
  happy happiness glad | glücklich glück fröhlich | feliz felicidad contento | heureux bonheur content | 高兴 快乐 幸福
  joy delight pleasure | freude vergnügen | alegría placer | joie plaisir | 喜悦 乐趣
  sad sadness sorrow | traurig traurigkeit trauer | triste tristeza pena | triste tristesse chagrin | 悲伤 难过
  grief mourning | trauer trauern | duelo luto | deuil | 哀悼
  angry anger furious annoyed | wütend wut zornig ärger verärgert | enfadado enojado furioso ira | colère furieux fâché énervé | 生气 愤怒
  fear afraid scared frightened | angst furcht fürchten | miedo temor temer | peur crainte craindre effrayé | 害怕 恐惧
  anxiety anxious nervous | nervös ängstlich aufgeregt | ansiedad ansioso nervioso | anxiété anxieux nerveux | 焦虑 紧张
  worry concern | sorge sorgen besorgt | preocupación preocupado preocupar | inquiétude inquiet inquiéter souci | 担心 担忧
  surprise | überraschung überrascht überraschend | sorpresa sorprendido sorprender | surpris surprenant | 惊讶 惊喜
  disappointed disappointment | enttäuscht enttäuschung | decepción decepcionado | déçu déception | 失望
  jealous jealousy envy | neid neidisch eifersucht eifersüchtig | celos celoso envidia | jaloux jalousie envie | 嫉妒
  proud pride | stolz | orgullo orgulloso | fier fierté | 骄傲 自豪
  shame ashamed embarrassed | scham peinlich beschämt | vergüenza avergonzado | honte gêné honteux | 羞耻 尴尬
  regret | bedauern bereuen | arrepentirse lamentar | regretter regret | 后悔 遗憾
  hope hopeful | hoffnung hoffen | esperanza | espoir espérer | 希望
  wish desire | wunsch wünschen gewünscht | deseo desear | souhait désir souhaiter | 愿望
  love lover | liebe lieben verliebt geliebt | amor amar amado enamorado | amour aimer aimé amoureux | 爱情 喜爱
  hate hatred | hass hassen | odio odiar | haine haïr détester | 讨厌 憎恨
  kiss | kuss küssen geküsst | beso besar | bisou baiser embrasser | 亲吻
  hug embrace | umarmung umarmen | abrazo abrazar | étreinte | 拥抱
  lonely loneliness alone | einsam einsamkeit allein | soledad solitario | solitude solitaire seul | 孤独 寂寞
  bored boredom | langweilig langeweile gelangweilt | aburrido aburrimiento | ennuyeux | 无聊
  interested | interessant interesse interessiert | interesante interesado interés | intéressant intéressé intérêt | 有趣 兴趣
  curious curiosity | neugierig neugier | curioso curiosidad | curieux curiosité | 好奇
  enthusiasm enthusiastic | begeisterung begeistert | entusiasmo entusiasta | enthousiasme enthousiaste | 热情 热心
  excited excitement | spannend aufregend | emocionante emocionado | excitant passionnant | 兴奋 激动
  calm relaxed | entspannt entspannen gelassen | tranquilo relajado relajar calma | calme détendu détendre | 放松 平静
  patience patient | geduld geduldig | paciencia | patience | 耐心
  impatient | ungeduldig | impaciente | impatient | 不耐烦
  courage brave courageous | mut mutig tapfer | valor valiente coraje | courage courageux | 勇气 勇敢
  coward cowardly | feige feigling | cobarde | lâche | 胆小
  shy | schüchtern scheu | tímido | timide | 害羞
  confident confidence | zuversichtlich selbstbewusst zuversicht | confianza | confiance confiant | 自信 信心
  trust reliable reliability | vertrauen zuverlässig zuverlässigkeit | fiable fiabilidad confiar | fiable fiabilité | 可靠 信任
  doubt | zweifel zweifeln | duda dudar | doute douter | 怀疑
  certain certainty | gewiss gewissheit | certeza cierto | certitude certain | 确定 肯定
  honest honesty | ehrlich ehrlichkeit | honesto honestidad sincero | honnête honnêteté sincère | 诚实
  lie lying liar | lüge lügen gelogen lügner | mentira mentir mentiroso | mensonge mentir menteur | 撒谎 谎言
  truth true | wahrheit wahr | verdad verdadero | vérité vrai | 真相 真实
  false fake | falsch gefälscht fälschung | falso falsificado | faux falsifié | 虚假 伪造
  kind friendly kindness | freundlich nett freundlichkeit | amable simpático amabilidad | gentil aimable gentillesse | 友好 善良
  polite politeness | höflich höflichkeit | cortés educado | poli politesse | 礼貌
  rude impolite | unhöflich frech | grosero maleducado | impoli grossier | 粗鲁 无礼
  generous generosity | großzügig großzügigkeit | generoso generosidad | généreux générosité | 慷慨 大方
  greedy greed | gierig gier geizig | avaro codicia codicioso | avare avide | 贪婪
  selfish | egoistisch selbstsüchtig | egoísta | égoïste | 自私
  lazy laziness | faul faulheit | perezoso vago pereza | paresseux paresse | 懒惰
  diligent hardworking | fleißig | trabajador diligente | travailleur | 勤奋 努力
  careful caution cautious | vorsichtig vorsicht sorgfältig | cuidadoso cuidado cauteloso | prudent prudence soigneux | 小心 谨慎
  careless negligent | nachlässig fahrlässig leichtsinnig | descuidado | négligent | 粗心 大意
  strict stern | streng | estricto severo | strict sévère | 严格
  stubborn | stur eigensinnig hartnäckig | terco testarudo | têtu obstiné | 固执 顽固
  modest humble | bescheiden demütig | modesto humilde | modeste humble | 谦虚
  arrogant | arrogant überheblich | arrogante | arrogant | 傲慢
  loyal loyalty | treu loyal | leal lealtad fiel | loyal fidèle loyauté | 忠诚
  grateful thankful gratitude thanks | dankbar dank danken | agradecido gratitud gracias agradecer | reconnaissant gratitude merci remercier | 感谢 谢谢
  apology apologize sorry | entschuldigung entschuldigen | disculpa disculparse | excuse excuser | 道歉 抱歉
  forgive forgiven pardon | verzeihen vergeben verziehen | perdonar perdón | pardonner pardon | 原谅
  blame accuse accusation | vorwurf beschuldigen | acusar acusación culpar | accuser accusation reproche | 指责 责备
  praise compliment | lob loben gelobt | elogio elogiar alabar | louange compliment féliciter | 表扬 称赞
  congratulate congratulations | gratulieren glückwunsch | felicitar felicitaciones enhorabuena | félicitations | 祝贺 恭喜
  criticism criticize | kritik kritisieren kritisiert | crítica criticar | critique critiquer | 批评
  respect | respekt respektieren | respeto respetar | respecter | 尊重
  responsibility | verantwortung | responsabilidad | responsabilité | 责任
  duty obligation | pflicht verpflichtung | deber obligación | devoir obligation | 义务 职责
  conscience | gewissen | conciencia | conscience | 良心
  opinion view | meinung ansicht | opinión | opinion avis | 意见 看法
  think thought | denken gedanke gedacht nachdenken | pensar pensamiento | penser pensée réfléchir | 思考 认为
  believe belief faith | glauben glaube geglaubt | creer creencia fe | croire croyance foi | 相信 信仰
  remember memory reminder remind | erinnern erinnerung gedächtnis | recordar recuerdo memoria recordatorio | souvenir rappeler mémoire rappel | 记得 记忆 提醒
  forget forgot forgotten | vergessen | olvidar olvidado | oublier oublié | 忘记
  imagine imagination | vorstellen vorstellung fantasie | imaginar imaginación | imaginer imagination | 想象
  prefer preference favourite favorite | bevorzugen vorliebe lieblings vorziehen | preferir preferido preferencia favorito | préférer préféré préférence favori | 偏好 喜欢 最爱
  choice choose chose chosen select | wahl wählen auswählen auswahl gewählt | elegir elección escoger seleccionar | choisir choix choisi sélectionner | 选择
  compare comparison | vergleich vergleichen verglichen | comparar comparación | comparer comparaison | 比较
  agree agreed consent | zustimmen zustimmung einverstanden einwilligung | consentimiento acuerdo | consentement | 同意 赞成
  disagree disagreement dispute | streit uneinigkeit | desacuerdo disputa | désaccord dispute litige | 争议 分歧
  quarrel argue argument | streiten gestritten streit | discutir pelea discusión | disputer querelle | 吵架 争吵
  fight fought | kampf kämpfen gekämpft | lucha luchar pelear | combat combattre lutte | 打架 战斗
  peace peaceful | frieden friedlich | paz pacífico | paix paisible | 和平
  violence violent | gewalt gewalttätig | violencia violento | violence violent | 暴力
  freedom liberty | freiheit | libertad | liberté | 自由
  luck lucky fortunate | glück | suerte afortunado | chance chanceux | 幸运 运气
  unlucky misfortune | pech unglück | desgracia | malchance malheur | 倒霉 不幸
  ambition ambitious | ehrgeiz ehrgeizig | ambición ambicioso | ambition ambitieux | 抱负 野心
  motivation motivate | motivation motivieren motiviert | motivación motivar | motivation motiver | 动力 激励
  expectation expect | erwartung erwarten erwartet | expectativa | attendre attentes | 期望 预期
  experience | erfahrung erlebnis erleben | experiencia | expérience | 经验 经历
  habit | gewohnheit angewohnheit | hábito costumbre | habitude | 习惯
  behaviour behavior behave | verhalten benehmen | comportamiento conducta | comportement conduite | 行为
  character personality | charakter persönlichkeit | carácter personalidad | caractère personnalité | 性格 个性
  relationship relation | beziehung verhältnis | relación | relation | 关系
  dating girlfriend boyfriend | freundin freund | novia novio | copine copain | 女朋友 男朋友
  influence | einfluss beeinflussen | influencia influir | influence influencer | 影响
  attention | aufmerksamkeit achtung | atención | | 注意 关注
  concentration focus concentrate | konzentration konzentrieren | concentración concentrarse | concentration concentrer | 专注 集中
  misunderstanding | missverständnis irrtum | malentendido equivocación | malentendu | 误会 误解
  advantage benefit | vorteil nutzen | ventaja | avantage | 优点 好处
  disadvantage drawback | nachteil | desventaja inconveniente | désavantage inconvénient | 缺点 坏处
  difference different differ | unterschied anders unterscheiden | diferencia diferente | différence différent | 区别 不同
  similar similarity | ähnlich ähnlichkeit | similar parecido semejante | semblable similaire ressemblance | 相似 类似
  equal identical | gleich identisch | igual mismo idéntico | égal même identique | 相同 一样
  chance opportunity | gelegenheit möglichkeit chance | oportunidad ocasión | occasion opportunité | 机会
  risk risky | risiko riskant | riesgo arriesgado | risque | 风险
  consequence | folge konsequenz auswirkung | consecuencia | conséquence | 后果
  purpose intention | zweck absicht | propósito intención finalidad | intention | 目的 意图`
