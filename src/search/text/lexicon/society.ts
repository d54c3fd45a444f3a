/** State, communication and professions: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const society = `
  government | regierung | gobierno | gouvernement | 政府
  parliament | parlament bundestag | parlamento | parlement | 议会 国会
  minister ministry | minister ministerin ministerium | ministro ministerio | ministre ministère | 部长
  mayor | bürgermeister bürgermeisterin | alcalde alcaldesa | maire | 市长
  townhall council | rathaus gemeinderat stadtrat | ayuntamiento concejo | mairie | 市政厅
  authority agency | behörde amt | autoridad organismo | autorité administration | 机关 当局
  municipality community | gemeinde kommune | municipio comunidad | commune communauté municipalité | 社区 市政
  citizen citizenship | bürger bürgerin staatsbürgerschaft | ciudadano ciudadanía | citoyen citoyenneté | 公民
  nationality | staatsangehörigkeit | nacionalidad | nationalité | 国籍
  inhabitant resident population | einwohner bewohner bevölkerung | habitante residente población vecino | habitant résident population | 居民 人口
  society | gesellschaft | sociedad | | 社会
  party | partei | partido | parti | 政党
  democracy democratic | demokratie demokratisch | democracia democrático | démocratie démocratique | 民主
  king prince princess royal | könig prinz prinzessin königlich | rey príncipe princesa | roi prince princesse royal | 国王 王子 公主
  emperor empire | kaiser reich | emperador imperio | empereur | 皇帝 帝国
  war | krieg | guerra | guerre | 战争
  soldier | soldat soldatin | soldado | soldat | 士兵 军人
  weapon gun rifle pistol | waffe gewehr pistole | arma fusil pistola | pistolet fusil | 武器
  bomb | bombe | bomba | bombe | 炸弹
  enemy | feind feindlich | enemigo | ennemi | 敌人
  hero heroine | held heldin | héroe heroína | héros héroïne | 英雄
  flag | flagge fahne | bandera | drapeau | 旗帜 国旗
  protest demonstration | protest demonstration demo | protesta manifestación | manifestation manif | 抗议 示威
  refugee asylum | flüchtling asyl geflüchtete | refugiado asilo | réfugié asile | 难民
  welfare | sozialhilfe bürgergeld | | | 福利
  charity foundation | stiftung wohltätigkeit hilfsorganisation | fundación caridad | charité | 基金会 慈善
  organization organisation institution | organisation institution einrichtung | organización institución | organisation institution établissement | 机构 组织
  statute bylaws | satzung | estatuto | | 章程
  guideline directive | richtlinie leitlinie | directriz pauta | | 准则 指导方针
  standard norm | norm standard | estándar norma | norme | 标准
  policeman | polizist polizistin | | policier | 警官
  detective | detektiv kommissar | detective | détective | 侦探
  god | gott | dios | dieu | 上帝
  prayer pray | gebet beten | oración rezar orar | prière | 祈祷
  priest pastor vicar | pfarrer pfarrerin priester pastor | sacerdote cura pastor | prêtre curé pasteur | 牧师 神父
  monk nun monastery | mönch nonne kloster | monje monja monasterio | moine monastère couvent | 修道院 和尚
  mosque synagogue temple | moschee synagoge tempel | mezquita sinagoga templo | mosquée synagogue temple | 清真寺 寺庙
  cathedral chapel | dom kathedrale kapelle | catedral capilla | cathédrale chapelle | 大教堂
  bible | bibel | biblia | bible | 圣经
  angel devil | engel teufel | ángel diablo | ange diable | 天使 魔鬼
  baptism christening | taufe getauft | bautizo bautismo | baptême | 洗礼
  castle palace fortress | burg schloss palast festung | castillo palacio fortaleza | château palais forteresse | 城堡 宫殿
  tower | turm | torre | | 塔楼
  ruin | ruine ruinen | ruina | ruine | 废墟 遗迹
  monument memorial | denkmal | monumento | monument | 纪念碑
  expert specialist | experte expertin spezialist | experto especialista | expert spécialiste | 专家
  beginner novice | anfänger anfängerin | principiante novato | débutant | 新手 初学者
  assistant helper | assistent assistentin helfer | asistente ayudante | assistant aide | 助理 助手
  salesman salesperson seller | verkäufer verkäuferin | vendedor vendedora dependiente | vendeur vendeuse | 销售员 卖家
  buyer | käufer käuferin | comprador compradora | acheteur acheteuse | 买家
  receptionist reception | rezeption empfang | recepción recepcionista | accueil réceptionniste | 前台 接待
  caretaker janitor | hausmeister | conserje portero | concierge gardien | 门卫 管理员
  cleaner | reinigungskraft putzfrau | limpiador limpiadora | | 清洁工 保洁
  guard | wächter wachmann wache | guardia vigilante | garde gardien | 保安
  postman mailman | briefträger postbote | cartero | facteur | 邮递员
  miner mine | bergmann bergwerk bergbau mine | minero mina minería | mineur mine | 矿工 矿山
  mason bricklayer | maurer | albañil | maçon | 泥瓦工 瓦工
  roofer | dachdecker | techador | couvreur | 屋顶工
  locksmith | schlosser schlüsseldienst | cerrajero | serrurier | 锁匠
  shoemaker cobbler | schuster schuhmacher | zapatero | cordonnier | 鞋匠
  watchmaker jeweller jeweler | uhrmacher juwelier | relojero joyero | horloger bijoutier | 钟表匠 珠宝商
  florist | florist floristin | florista floristería | fleuriste | 花店
  shepherd | schäfer hirte | pastor | berger | 牧羊人
  forester ranger lumberjack | förster holzfäller | guardabosques leñador | forestier bûcheron | 护林员
  winemaker winegrower | winzer | viticultor viñador | vigneron | 酿酒师
  babysitter nanny | babysitter kindermädchen tagesmutter | niñera canguro | nounou | 保姆
  model | modell | modelo | modèle | 模型 模特
  agent | vertreter agent | agente | agent | 代理人
  director | direktor direktorin geschäftsführer geschäftsführerin | director directora | directeur directrice | 总监 经理
  deputy | stellvertreter stellvertreterin | suplente vicepresidente | adjoint suppléant | 副手
  hr | personalabteilung | | | 人事 人力
  workforce | belegschaft | plantilla | effectif | 员工队伍
  marketing | vertrieb marketing | ventas marketing | ventes marketing | 销售 营销
  strategy | strategie | estrategia | stratégie | 战略 策略
  priority | priorität vorrang | prioridad | priorité | 优先
  process procedure | ablauf prozess vorgehen | proceso procedimiento | processus procédure | 流程 程序
  status state | status zustand stand | estado situación | état statut | 状态
  phase | phase | fase etapa | phase étape | 阶段
  detail | detail einzelheit | detalle | détail | 细节 详情
  attachment appendix annex | anhang anlage | adjunto anexo | annexe | 附件
  envelope | briefumschlag umschlag | sobre | enveloppe | 信封
  fax | fax | fax | fax | 传真
  voicemail | anrufbeantworter mailbox | buzón contestador | répondeur messagerie | 语音信箱
  sms | sms textnachricht | sms | sms texto | 短信
  forum | forum | foro | forum | 论坛
  blog | blog | blog bitácora | blog blogue | 博客
  comment remark | kommentar bemerkung | comentario observación | commentaire remarque | 评论 备注
  feedback | rückmeldung feedback | comentarios | | 反馈
  review rating | rezension | reseña | critique avis | 点评
  rumour rumor gossip | gerücht klatsch tratsch | rumor chisme | rumeur ragot | 谣言 八卦
  citation | zitat zitieren | citar | citation citer | 引用
  hotline helpline | hotline beratungsstelle | | | 热线
  guestlist | gästeliste | | | 邀请函
  identity | personalausweis ausweis | identidad | identité | 身份证
  assembly | versammlung hauptversammlung | asamblea | assemblée | 大会 集会
  cooperative | genossenschaft | cooperativa | coopérative | 合作社
  commitment | engagement verpflichtung | compromiso | | 承诺
  gender | geschlecht | género | | 性别
  equality | gleichberechtigung gleichheit | igualdad | égalité | 平等
  generation | generation | generación | génération | 一代
  childhood | kindheit | infancia niñez | enfance | 童年
  life | leben | vida | vie | 生命 生活
  surname lastname | nachname familienname | apellido | | 姓氏
  firstname | vorname | | prénom | 名字
  origin source | herkunft ursprung quelle | origen fuente | origine source | 来源 起源
  symbol sign | zeichen symbol | signo símbolo | signe symbole | 符号 标志
  cipher | geheimcode chiffre | cifra | | 密文
  category type sort | kategorie sorte typ | categoría tipo clase | catégorie sorte type | 类别 类型
  variant | variante | variante | variante | 版本 变体
  structure | struktur aufbau | estructura | structure | 结构
  system | system | sistema | système | 系统
  device gadget appliance | gerät vorrichtung apparat | dispositivo aparato | dispositif appareil | 设备 装置
  equipment gear | ausrüstung ausstattung | equipamiento | équipement | 装备 器材
  accessory | zubehör | accesorio | accessoire | 配件 附件
  material substance | material stoff substanz | material sustancia | matériau substance matière | 物质 材料
  object thing item | gegenstand ding objekt | objeto artículo | objet chose | 物品 东西
  content | inhalt | contenido | contenu | 内容
  effect impact | wirkung auswirkung effekt | efecto impacto | effet impact | 效果
  situation circumstances | situation lage umstände | situación circunstancias | situation circonstances | 情况 形势
  crisis | krise | | | 危机
  disaster catastrophe | katastrophe | desastre catástrofe | désastre catastrophe | 灾难 灾害
  incident | vorfall zwischenfall | incidente | incident | 事故 故障
  secret mystery | geheimnis rätsel | misterio secreto | mystère secret | 秘密`
