/** Body, illness and medicine: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const health = `
  face | gesicht | cara rostro | visage | 面部
  forehead | stirn | frente | front | 额头
  cheek | wange backe | mejilla | joue | 脸颊
  chin | kinn | barbilla mentón | menton | 下巴
  lip | lippe lippen | labio | lèvre | 嘴唇
  tongue | zunge | lengua | langue | 舌头
  jaw | kiefer | mandíbula | mâchoire | 下颌 颌骨
  gum | zahnfleisch | encía | gencive | 牙龈
  throat | rachen kehle halsschmerzen | garganta | gorge | 喉咙 嗓子
  neck | hals nacken | cuello nuca | cou nuque | 脖子 颈部
  beard | bart | barba | barbe | 胡子
  moustache mustache | schnurrbart | bigote | moustache | 小胡子
  eyebrow eyelash | augenbraue wimper | ceja pestaña | sourcil cil | 眉毛 睫毛
  chest breast | brust | pecho | poitrine sein | 胸部
  rib | rippe rippen | costilla | côte | 肋骨
  lung | lunge | pulmón | poumon | 肺部
  liver | leber | hígado | foie | 肝脏
  kidney | niere nieren | riñón | rein | 肾脏
  bladder | blase harnblase | vejiga | vessie | 膀胱
  intestine bowel gut | darm | intestino | intestin | 肠道
  brain | gehirn hirn | cerebro | cerveau | 大脑
  nerve | nerv nerven | nervio | nerf | 神经
  muscle | muskel muskeln | músculo | muscle | 肌肉
  joint | gelenk | articulación | articulation | 关节
  tendon ligament | sehne bänder | tendón ligamento | tendon ligament | 肌腱 韧带
  spine vertebra | wirbelsäule wirbel | columna vértebra | colonne vertèbre | 脊柱 脊椎
  hip | hüfte | cadera | hanche | 臀部 髋部
  waist | taille | cintura | taille | 腰部
  thigh | oberschenkel | muslo | cuisse | 大腿
  calf | wade unterschenkel | pantorrilla | mollet | 小腿
  ankle | knöchel fußgelenk | tobillo | cheville | 脚踝
  toe | zeh zehen | | orteil | 脚趾
  elbow | ellbogen ellenbogen | codo | coude | 手肘
  wrist | handgelenk | muñeca | poignet | 手腕
  finger | finger | dedo | doigt | 手指
  thumb | daumen | pulgar | pouce | 拇指
  fingernail | fingernagel | uña | ongle | 指甲
  fist | faust | puño | poing | 拳头
  skeleton skull | skelett schädel | esqueleto cráneo | squelette crâne | 骨骼 头骨
  breath | atem atmen atmung | aliento respirar respiración | souffle respirer respiration haleine | 呼吸
  voice | stimme | voz | voix | 声音 嗓音
  sweat | schweiß schwitzen | sudor sudar | sueur transpirer | 出汗 汗水
  tear cry weep | träne tränen weinen geweint | lágrima llorar | larme pleurer | 眼泪 哭泣
  headache migraine | kopfschmerzen kopfweh migräne | jaqueca migraña | migraine | 头痛 偏头痛
  toothache | zahnschmerzen zahnweh | | | 牙痛
  backache | rückenschmerzen | lumbago | | 背痛 腰痛
  nausea vomit | übelkeit erbrechen | náusea vómito vomitar | nausée vomir vomissement | 恶心 呕吐
  diarrhea diarrhoea | durchfall | diarrea | diarrhée | 腹泻
  constipation | verstopfung | estreñimiento | | 便秘
  dizzy dizziness | schwindel schwindlig | mareo mareado | vertige étourdi | 头晕
  faint unconscious | ohnmacht ohnmächtig bewusstlos | desmayo desmayarse inconsciente | évanouir inconscient | 昏倒 晕倒
  infection infected | infektion entzündung infiziert | infección infectado | infection infecté | 感染
  inflammation | entzündung | inflamación | inflammation | 发炎 炎症
  swelling swollen | schwellung geschwollen | hinchazón hinchado | gonflement gonflé enflure | 肿胀
  bruise | prellung bluterguss | moretón | ecchymose | 瘀伤
  burn burnt | verbrennung verbrannt brennen | quemadura quemar quemado | brûlure brûler brûlé | 烧伤 燃烧
  fracture | knochenbruch fraktur gebrochen | fractura | fracture | 骨折
  sprain | verstauchung verstaucht | esguince | entorse foulure | 扭伤
  scar | narbe | cicatriz | cicatrice | 疤痕
  rash itch eczema | ausschlag juckreiz jucken ekzem | sarpullido picor eccema | démangeaison eczéma | 皮疹 发痒
  blister | wasserblase | ampolla | cloque ampoule | 水泡
  asthma | asthma | asma | asthme | 哮喘
  bronchitis pneumonia | bronchitis lungenentzündung | bronquitis neumonía | bronchite pneumonie | 肺炎 支气管炎
  covid corona coronavirus | corona covid | coronavirus covid | coronavirus covid | 新冠
  diabetes diabetic | diabetes zuckerkrankheit diabetiker | diabetes diabético | diabète diabétique | 糖尿病
  cancer tumour tumor | krebs tumor | cáncer tumor | cancer tumeur | 癌症 肿瘤
  stroke | schlaganfall | ictus | | 中风
  hypertension | bluthochdruck | hipertensión | hypertension | 高血压
  arthritis rheumatism | arthritis arthrose rheuma | artritis artrosis reuma | arthrite arthrose rhumatisme | 关节炎
  measles chickenpox | masern windpocken | sarampión varicela | rougeole varicelle | 麻疹 水痘
  epidemic pandemic | seuche epidemie pandemie | epidemia pandemia | épidémie pandémie | 疫情 流行病
  contagious infectious | ansteckend | contagioso | contagieux | 传染
  symptom | symptom | síntoma | symptôme | 症状
  diagnosis diagnose | diagnose diagnostiziert | diagnóstico diagnosticar | diagnostic diagnostiquer | 诊断
  therapy treatment treat | therapie behandlung behandeln | terapia tratamiento tratar | thérapie traitement traiter soigner | 治疗
  cure heal | heilen heilung geheilt | curar curación sanar | guérir guérison | 治愈 痊愈
  physiotherapy physiotherapist | physiotherapie krankengymnastik physiotherapeut | fisioterapia fisioterapeuta | kinésithérapie kinésithérapeute kiné | 理疗 物理治疗
  massage | massage massieren | masaje | massage | 按摩
  psychologist psychology | psychologe psychologin psychologie | psicólogo psicóloga psicología | psychologue psychologie | 心理学
  psychiatrist psychotherapy | psychiater psychotherapie | psiquiatra psicoterapia | psychiatre psychothérapie | 心理治疗
  surgeon | chirurg chirurgin | cirujano | chirurgien | 外科
  midwife | hebamme | comadrona matrona | | 助产士
  paediatrician pediatrician | kinderarzt kinderärztin | pediatra | pédiatre | 儿科
  dermatologist | hautarzt hautärztin | dermatólogo | dermatologue | 皮肤科
  ophthalmologist optician | augenarzt optiker | oftalmólogo oculista óptico | ophtalmologue opticien | 眼科 眼镜店
  nursing caregiver carer | pflege pflegen betreuer pfleger | cuidado cuidador cuidar | soin soigner soignant | 护理 照顾
  bandage | verband pflaster | venda vendaje tirita | bandage pansement | 绷带 创可贴
  ointment cream | salbe creme | pomada ungüento crema | pommade crème | 药膏 软膏
  syringe injection | spritze injektion | jeringa inyección | seringue injection piqûre | 注射 打针
  drops | tropfen augentropfen | gotas | gouttes | 滴剂 眼药水
  antibiotic | antibiotikum antibiotika | antibiótico | antibiotique | 抗生素
  painkiller | schmerzmittel schmerztablette | analgésico | | 止痛药
  dose dosage | dosis dosierung | dosis | dose posologie | 剂量
  anaesthesia anesthesia | narkose betäubung | anestesia | anesthésie | 麻醉
  xray radiology | röntgen röntgenbild | radiografía | radiographie radio | 光片
  ultrasound | ultraschall | ecografía ultrasonido | échographie | 超声
  crutch | krücke krücken | muleta | béquille | 拐杖
  wheelchair | rollstuhl | | | 轮椅
  disability disabled handicapped | behinderung behindert | discapacidad discapacitado | handicap | 残疾
  blind | blind erblindet | ciego | aveugle | 失明 盲人
  deaf | taub gehörlos schwerhörig | sordo | sourd | 失聪
  hearing | gehör hörgerät | audición audífono | audition ouïe | 听力
  vision sight eyesight | sehkraft sehvermögen | vista visión | vue | 视力
  lens lenses | linse kontaktlinsen | lente lentillas | lentille | 镜片 隐形眼镜
  filling caries cavity | karies zahnfüllung | empaste caries | carie plombage | 蛀牙 补牙
  toothbrush toothpaste | zahnbürste zahnpasta | dentífrico | dentifrice | 牙刷 牙膏
  birth childbirth pregnancy | entbindung schwangerschaft | parto embarazo | accouchement grossesse | 分娩 孕期
  puberty teenager adolescent youth | jugendlicher jugendliche jugend pubertät teenager | adolescente juventud joven | adolescent jeunesse ado | 青少年 青年
  adult grownup | erwachsener erwachsene | adulto adulta | adulte | 成人 成年人
  elderly senior | senior senioren | anciano mayor | aîné senior | 老人 老年
  twin | zwilling zwillinge | gemelo mellizo | jumeau jumeaux jumelle | 双胞胎
  orphan adoption adopted | waise adoption adoptiert | huérfano adopción adoptado | orphelin adoption adopté | 孤儿 收养
  widow widower | witwe witwer | viuda viudo | veuve veuf | 寡妇
  grave cemetery graveyard | grab friedhof gräber | tumba cementerio | tombe cimetière | 坟墓 墓地
  ancestor | vorfahr vorfahren ahnen | antepasado ancestro | ancêtre | 祖先
  grandchild grandson granddaughter | enkel enkelin enkelkind | nieto nieta | | 孙子 孙女
  stepfather stepmother | stiefvater stiefmutter | padrastro madrastra | | 继父 继母
  godfather godmother | patenonkel patentante | padrino madrina | parrain marraine | 教父 教母
  engaged engagement fiance | verlobt verlobung verlobter | prometido | fiancé fiançailles | 订婚
  bride groom bridegroom | braut bräutigam | novia novio | mariée | 新娘 新郎
  couple | paar ehepaar | pareja | couple | 夫妻 情侣
  hygiene hygienic | hygiene hygienisch | higiene higiénico | hygiène hygiénique | 卫生
  sterile disinfect disinfectant | desinfizieren desinfektion desinfektionsmittel | desinfectar desinfectante | désinfecter désinfectant | 消毒
  poison poisonous toxic | gift giftig | veneno venenoso tóxico | poison toxique venin | 有毒 毒药
  smoking smoker cigarette tobacco | rauchen raucher zigarette tabak | fumar fumador cigarrillo tabaco | fumer fumeur cigarette tabac | 吸烟 香烟
  addiction addicted | sucht süchtig abhängig | adicción adicto | addiction dépendance | 上瘾
  stress stressful | stress gestresst stressig | estrés estresado | stress | 压力
  tired exhausted fatigue | müde erschöpft müdigkeit | cansado agotado cansancio | fatigué épuisé | 疲劳
  awake wake | wach aufwachen aufgewacht wecken | despierto despertar | réveiller réveillé éveillé | 醒来 起床
  dream | traum träumen geträumt | soñar | rêve rêver | 做梦 梦想
  insomnia sleepless | schlaflos schlaflosigkeit | insomnio | insomnie | 失眠
  snore | schnarchen | roncar ronquido | ronfler ronflement | 打鼾
  healthy | gesund | sano saludable | sain | 健康的
  posture | haltung körperhaltung | postura | posture | 姿势
  slim | schlank dünn abnehmen | delgado adelgazar flaco | mince maigre maigrir | 减肥
  overweight obese obesity | übergewicht übergewichtig dick | sobrepeso obesidad gordo | surpoids obésité | 肥胖
  pulse heartbeat | puls herzschlag | pulso latido | pouls | 脉搏 心跳`
