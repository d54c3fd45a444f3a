/** Common adjectives: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const properties = `
  good | gut guten guter | bueno buena bien | bon bonne bien | 良好 好的
  better best | besser beste besten | mejor | meilleur mieux | 更好 最好
  bad | schlecht schlimm | malo mala | mauvais | 糟糕 不好
  worse worst | schlimmer schlechter | peor | pire | 更差 最差
  beautiful pretty lovely | schön hübsch | bonito hermoso bello guapo | beau belle joli | 漂亮 美丽
  ugly | hässlich | feo | laid moche | 丑陋
  young | jung jungen | jóvenes | jeune | 年轻
  modern contemporary | modern zeitgemäß | moderno contemporáneo | moderne contemporain | 现代
  ancient antique | antik altertümlich antiquität | antiguo antigüedad | antique antiquité | 古代 古董
  easy simple | einfach leicht | fácil sencillo simple | facile simple | 简单 容易
  difficult difficulty | schwierig schwierigkeit | difícil dificultad | difficile difficulté | 困难
  complicated complex | kompliziert komplex | complicado complejo | compliqué complexe | 复杂
  possible possibility | möglich möglichkeit | posible posibilidad | possible possibilité | 可能
  impossible | unmöglich | imposible | impossible | 不可能
  probable likely probably | wahrscheinlich | probable probablemente | probable probablement | 很可能
  useful | nützlich hilfreich | útil | utile | 有用
  useless | nutzlos unbrauchbar | inútil | inutile | 无用
  practical convenient | praktisch bequem | práctico cómodo | pratique commode | 实用 方便
  comfortable comfort cosy cozy | bequem gemütlich komfortabel | cómodo confortable acogedor | confortable confort douillet | 舒适 舒服
  popular | beliebt populär | popular | populaire | 受欢迎 流行
  famous | berühmt bekannt | famoso conocido | célèbre connu | 著名 有名
  unknown | unbekannt | desconocido | inconnu | 未知
  public | öffentlich | público | public publique | 公共 公开
  private | privat | privado | privé | 私人
  personal | persönlich | | personnel | 个人
  common | gemeinsam | común conjunto | commun | 共同
  general generally | allgemein generell | general generalmente | général généralement | 一般
  special particular | besonders besonderer speziell | especial particular | spécial particulier | 特别 特殊
  exact precise accurate accuracy | genau exakt präzise genauigkeit | exacto preciso precisión | exact précis précision | 精确 准确
  approximate approximately roughly | ungefähr etwa circa | aproximado aproximadamente | approximatif approximativement environ | 大约 大概
  main principal chief | hauptsächlich wichtigste | principal | principal | 主要
  serious severe | ernst schwerwiegend ernsthaft | serio grave | sérieux grave | 严重 严肃
  strange odd weird | seltsam merkwürdig komisch | extraño raro | étrange bizarre | 奇怪
  unusual | ungewöhnlich | inusual insólito | inhabituel insolite | 不寻常
  typical | typisch | típico | typique | 典型
  strong strength | stark | | puissant | 强壮 强大
  weak weakness | schwach | débil debilidad | faible faiblesse | 虚弱 薄弱
  soft | weich sanft | blando suave | mou doux | 柔软
  solid hard | hart fest | duro sólido firme | dur solide ferme | 坚硬 坚固
  smooth | glatt | liso | lisse | 光滑
  rough | rau grob | áspero | rugueux | 粗糙
  slippery | rutschig glatt | resbaladizo | glissant |
  sticky | klebrig | pegajoso | collant |
  wet | nass | mojado | mouillé |
  light | leicht | ligero liviano | léger | 轻便
  loose | locker lose | suelto flojo | desserré lâche | 松动
  tight | fest stramm | apretado | serré |
  stiff rigid | steif starr | rígido | rigide raide | 僵硬
  flexible | flexibel biegsam | flexible | flexible souple | 灵活
  elastic | elastisch gummiband | elástico | élastique | 弹性
  fragile delicate | zerbrechlich empfindlich | frágil delicado | fragile délicat | 易碎 脆弱
  robust sturdy durable | robust stabil haltbar langlebig | robusto resistente duradero | robuste durable | 结实 耐用
  stable stability | stabil stabilität | estable estabilidad | stable stabilité | 稳定
  waterproof watertight | wasserdicht | impermeable | étanche imperméable | 防水
  sharp | scharf | afilado | tranchant aiguisé | 锋利
  blunt dull | stumpf | romo desafilado | émoussé |
  clear | klar deutlich | claro | clair | 清楚 清晰
  unclear vague | unklar undeutlich | vago confuso | vague flou | 模糊 不清楚
  visible | sichtbar | | visible | 可见
  invisible | unsichtbar | invisible | invisible | 看不见 隐形
  complete | vollständig komplett | completo | complet | 完整
  incomplete | unvollständig | incompleto | incomplet | 不完整
  perfect | perfekt vollkommen | perfecto | parfait | 完美
  excellent outstanding | ausgezeichnet hervorragend großartig | excelente estupendo | excellent formidable | 优秀 出色
  terrible awful horrible | schrecklich furchtbar | terrible horrible espantoso | terrible affreux horrible | 可怕 糟透
  funny amusing | lustig witzig | gracioso divertido | drôle amusant rigolo | 好笑 滑稽
  pleasant nice enjoyable | angenehm | agradable | agréable | 愉快
  unpleasant | unangenehm | desagradable | désagréable | 不愉快
  disgusting | ekelhaft eklig widerlich | asqueroso repugnante | dégoûtant répugnant | 恶心
  lively active | lebhaft aktiv | activo animado | actif vivant animé | 活跃 活泼
  passive | passiv | pasivo | passif | 被动
  busy occupied | beschäftigt besetzt | ocupado | occupé | 忙碌 繁忙
  ready | bereit | listo preparado | prêt | 准备好
  overdue | überfällig | vencido atrasado | | 逾期
  current latest | aktuell neueste | actual último | actuel dernier | 当前 最新
  previous former earlier | vorherig früherer ehemalig | anterior previo | précédent ancien | 以前 之前
  original originally | ursprünglich original | original originalmente | original originel | 原始 原来
  additional extra | zusätzlich weitere extra | adicional extra | supplémentaire additionnel | 额外 附加
  optional | wahlweise freiwillig optional | opcional | optionnel facultatif | 可选
  mandatory compulsory obligatory | verpflichtend obligatorisch pflicht | obligatorio | obligatoire | 必须 强制
  valid validity | gültig gültigkeit | válido validez vigente | valable valide validité | 有效
  invalid | ungültig | inválido | | 无效
  illegal unlawful | illegal rechtswidrig | ilegal | illégal | 非法
  official | offiziell amtlich | oficial | officiel | 官方 正式
  suitable appropriate | geeignet passend angemessen | adecuado apropiado | approprié adéquat convenable | 合适 适合
  compatible | kompatibel | compatible | compatible | 兼容
  effective efficient efficiency | wirksam effizient effizienz | eficaz eficiente eficacia | efficace efficacité | 有效率 高效
  economical | sparsam wirtschaftlich | económico | économique | 节约 经济
  valuable precious | wertvoll kostbar | valioso precioso | précieux | 珍贵 宝贵
  value worth | wert | valor | valeur | 价值
  worthless | wertlos | | | 没价值
  luxury luxurious | luxus luxuriös | lujo lujoso | luxe luxueux | 豪华 奢侈
  huge enormous giant | riesig enorm gewaltig | enorme gigante inmenso | énorme géant immense | 巨大
  tiny | winzig | diminuto minúsculo | minuscule | 微小
  tall | hochgewachsen | | | 高大
  single individual | einzeln | individual único | individuel unique | 单独 单个
  unique | einzigartig | singular | unique | 独特
  international | international | internacional | international | 国际
  national nation | national nation | nacional nación | national nation | 国家 全国
  local | örtlich einheimisch regional | | | 当地 本地
  global worldwide | weltweit global | mundial global | mondial global | 全球
  urban | städtisch | urbano | urbain | 城市
  rural | ländlich | rural | rural | 农村 乡下
  native | muttersprache gebürtig | nativo materno | natif maternel | 母语
  human | menschlich | humano | humain | 人类
  male masculine | männlich | masculino varón | mâle masculin | 男性
  female feminine | weiblich | femenino | femelle féminin | 女性
  alive | lebendig lebend | vivo viva | vivant | 活着
  physical | körperlich physisch | físico | physique | 身体
  mental | geistig seelisch psychisch | psíquico | psychique | 精神
  social | sozial gesellschaftlich | social | social | 社会
  political politics politician | politik politisch politiker | político política | politique politicien | 政治
  religious religion | religion religiös | religión religioso | religion religieux | 宗教
  military army | militär armee militärisch | militar ejército | militaire armée | 军队 军事
  electric electrical | elektrisch | eléctrico | électrique | 电动 电气
  mechanical | mechanisch | | mécanique | 机械
  wooden | hölzern | | | 木制
  handmade handcrafted | handgemacht selbstgemacht | artesanal | artisanal | 手工
  homemade | hausgemacht | casero | | 自制
  secondhand used | gebraucht secondhand | | occasion | 二手 旧货
  soldout | ausverkauft | agotado | épuisé | 售完 卖完
  crowded | überfüllt voll | abarrotado lleno | bondé | 拥挤
  missing | fehlend | faltante | | 缺少
  pure | rein pur | puro | pur | 纯净
  artificial synthetic | künstlich synthetisch | artificial sintético | artificiel synthétique | 人造 合成
  random | zufällig zufall | aleatorio azar | aléatoire hasard | 随机 偶然
  anonymous | anonym | anónimo | anonyme | 匿名`
