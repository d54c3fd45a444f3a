/** Time, quantities, shapes and colours: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const measures = `
  time | zeit uhrzeit | tiempo hora | temps heure | 时间
  moment instant | moment augenblick | momento instante | moment instant | 瞬间 时刻
  second | sekunde sekunden | segundo | seconde |
  quarter | viertel quartal | cuarto trimestre | quart trimestre | 季度 四分之一
  decade | jahrzehnt | década | décennie | 十年
  century | jahrhundert | siglo | siècle | 世纪
  millennium | jahrtausend | milenio | millénaire | 千年
  date | datum | fecha | | 日期
  era epoch age | epoche zeitalter ära | época era | époque ère | 时代
  past | vergangenheit vergangen | pasado | passé | 过去
  future | zukunft künftig zukünftig | futuro | avenir futur | 未来 将来
  daily everyday | täglich alltag | diario diariamente cotidiano | quotidien quotidiennement | 每天 日常
  weekly | wöchentlich | semanal semanalmente | hebdomadaire | 每周
  hourly | stündlich | | | 每小时
  often frequent frequently | oft häufig | frecuente frecuentemente menudo | souvent fréquent fréquemment | 经常 频繁
  frequency | häufigkeit frequenz | frecuencia | fréquence | 频率
  sometimes occasionally | manchmal gelegentlich | ocasionalmente veces | parfois occasionnellement | 有时 偶尔
  always | immer stets | siempre | toujours | 总是 始终
  never | nie niemals | nunca jamás | jamais | 从不 从来
  rare rarely seldom | selten | raro raramente | rare rarement | 罕见 很少
  usual usually normally | gewöhnlich üblich normalerweise meistens | habitual normalmente usualmente | habituel habituellement normalement | 通常 平时
  regular regularly | regelmäßig | regular regularmente | régulier régulièrement | 定期 规律
  soon | bald demnächst | pronto | bientôt | 不久 很快
  immediately instantly | sofort unverzüglich | inmediatamente inmediato | immédiatement immédiat | 立即 马上
  suddenly sudden | plötzlich | repentino repente | soudain soudainement | 突然
  duration | dauer | duración | durée | 持续时间 时长
  period interval | zeitraum abschnitt intervall | periodo intervalo | période intervalle | 期间 时期
  temporary provisional | vorübergehend vorläufig befristet | temporal provisional | temporaire provisoire | 临时 暂时
  permanent | dauerhaft unbefristet | permanente | permanent | 永久 长期
  punctual punctuality | pünktlich pünktlichkeit | puntual puntualidad | ponctuel ponctualité | 准时 守时
  january | januar jänner | enero | janvier | 一月
  february | februar | febrero | février | 二月
  march | märz | marzo | mars | 三月
  april | april | abril | avril | 四月
  june | juni | junio | juin | 六月
  july | juli | julio | juillet | 七月
  august | august | agosto | août | 八月
  september | september | septiembre | septembre | 九月
  october | oktober | octubre | octobre | 十月
  november | november | noviembre | novembre | 十一月
  december | dezember | diciembre | décembre | 十二月
  two | zwei | dos | deux | 两个
  three | drei | tres | trois | 三个
  four | vier | cuatro | quatre | 四个
  five | fünf | cinco | cinq | 五个
  six | sechs | seis | | 六个
  seven | sieben | siete | sept | 七个
  eight | acht | ocho | huit | 八个
  nine | neun | nueve | neuf | 九个
  ten | zehn | diez | dix | 十个
  eleven | elf | | onze | 十一
  twelve dozen | zwölf dutzend | doce docena | douze douzaine | 十二 一打
  fifteen | fünfzehn | quince | quinze | 十五
  twenty | zwanzig | veinte | vingt | 二十
  thirty | dreißig | treinta | trente | 三十
  forty | vierzig | cuarenta | quarante | 四十
  fifty | fünfzig | cincuenta | cinquante | 五十
  sixty | sechzig | sesenta | soixante | 六十
  hundred | hundert | cien ciento | cent | 一百
  thousand | tausend | | mille | 一千
  million | million millionen | millón | million | 百万
  quantity amount | menge betrag anzahl | cantidad importe | quantité montant | 数量 金额
  sum total | summe gesamt gesamtbetrag insgesamt | suma total | somme total | 总额 总数
  percent percentage | prozent prozentsatz | porcentaje | pourcentage | 百分比
  average mean | durchschnitt durchschnittlich mittelwert | promedio media | moyenne | 平均
  maximum max | maximum höchstens maximal | máximo | maximum maximal | 最多 最大
  minimum min | minimum mindestens minimal | mínimo | minimum minimal | 最少 最小
  limit | grenzwert obergrenze limit | límite | limite | 上限 限制
  pair | paar | par | paire | 一对 一双
  piece bit | stück | trozo pedazo | morceau |
  rest remainder remaining | rest übrig restlich | resto restante | reste restant | 剩余 其余
  whole entire | ganz gesamt | entero | entier | 整个 全部
  empty | leer leeren | vacío vaciar | vide vider | 空的 清空
  full | voll | lleno | plein | 满的
  enough sufficient | genug ausreichend | suficiente bastante | assez suffisant | 足够
  gram kilo kilogram | gramm kilo kilogramm | gramo kilo kilogramo | gramme kilo kilogramme | 公斤 千克
  ton tonne | tonne tonnen | tonelada | tonne |
  litre liter | liter | litro | litre |
  metre meter | meter | metro | mètre |
  centimetre centimeter | zentimeter | centímetro | centimètre | 厘米
  millimetre millimeter | millimeter | milímetro | millimètre | 毫米
  inch | zoll | pulgada | pouce | 英寸
  pound | pfund | libra | livre | 英镑
  hectare acre | hektar | hectárea | hectare | 公顷
  width wide broad | breite | ancho anchura amplio | largeur large | 宽度
  depth deep | tiefe | profundidad profundo | profondeur profond | 深度
  thickness thick | dicke | grosor grueso espesor | épaisseur épais | 厚度
  thin | dünn | delgado fino | mince fin |
  narrow | schmal eng | estrecho | étroit | 狭窄
  short | kurz | corto | |
  low | niedrig tief | | |
  flat level | flach eben | plano llano | plat | 平坦
  steep | steil | empinado | raide escarpé | 陡峭
  surface | oberfläche fläche | superficie | surface | 表面 面积
  scale weigh | waage wiegen gewogen | báscula balanza pesar | balance peser pesée | 称重
  count | zählen zählung gezählt | contar recuento | compter comptage | 计数 数数
  meter gauge | zähler messgerät zählerstand | contador medidor | compteur jauge | 仪表 电表
  shape form | form gestalt | forma | forme | 形状
  circle round | kreis rund | círculo redondo | cercle rond | 圆圈 圆形
  square | quadrat quadratisch viereckig | cuadrado | carré | 正方形 方形
  rectangle rectangular | rechteck rechteckig | rectángulo rectangular | rectangle rectangulaire | 长方形 矩形
  triangle triangular | dreieck dreieckig | triángulo triangular | triangle triangulaire | 三角形
  oval ellipse | oval ellipse | óvalo ovalado | ovale ellipse | 椭圆
  cube | würfel | cubo | cube | 立方体
  sphere globe | kugel globus | esfera globo | sphère globe | 球体
  cylinder | zylinder | cilindro | cylindre | 圆柱 气缸
  cone | kegel | cono | cône | 圆锥
  angle | winkel | ángulo | | 角度
  line | linie | línea | ligne | 线条
  dot point | punkt | punto | |
  cross | kreuz | cruz | croix | 十字
  arrow | pfeil | flecha | flèche | 箭头
  edge rim | kante rand | borde | bord | 边缘
  diameter radius | durchmesser radius | diámetro radio | diamètre rayon | 直径 半径
  straight | gerade | recto derecho | droit | 直的 笔直
  curve bend | kurve gebogen | curva curvado | courbe virage | 弯曲 曲线
  pointed | spitz | puntiagudo afilado | pointu |
  pink | rosa | rosado | | 粉色 粉红
  purple violet | lila violett | morado púrpura violeta | violet pourpre | 紫色
  turquoise | türkis | turquesa | turquoise | 青绿
  beige | beige | beis | beige | 米色
  colourful colorful | bunt farbig | colorido | coloré | 彩色
  bright light | hell leuchtend | claro brillante luminoso | clair lumineux | 明亮 浅色
  dark darkness | dunkel dunkelheit finster | oscuro oscuridad | sombre obscurité foncé | 黑暗 深色
  transparent | durchsichtig transparent | transparente | transparent | 透明
  north northern | norden nördlich nord | norte | nord | 北方 北部
  south southern | süden südlich süd | | sud | 南方 南部
  east eastern | osten östlich ost | | | 东方 东部
  west western | westen westlich | oeste | ouest | 西方 西部
  middle centre center | mitte zentrum | centro medio | milieu centre | 中间 中心
  front | vorne vorderseite | delante delantero frente | devant avant | 前面
  side | seite | lado | côté | 侧面
  near nearby | nah | cerca cercano próximo | proche près | 附近
  far distant | weit fern entfernt | lejos lejano | loin lointain | 遥远
  opposite | gegenüber gegenteil | enfrente opuesto contrario | opposé contraire | 对面 相反
  around | ringsum herum | alrededor | autour | 周围
  horizontal | waagerecht waagrecht horizontal | horizontal | horizontal | 水平
  vertical upright | senkrecht vertikal | vertical | vertical | 垂直 竖直
  diagonal | diagonal schräg | diagonal | diagonal oblique | 对角
  zero | null | cero | zéro |
  multiple several various | mehrere verschiedene | varios múltiple | plusieurs divers | 多个 几个
  rate ratio proportion | verhältnis anteil quote | proporción tasa | proportion taux | 比例 比率
  dimension | abmessung abmessungen | dimensión | dimension | 规格尺寸
  sequence | reihenfolge reihe abfolge | secuencia serie | séquence suite | 顺序 序列`
