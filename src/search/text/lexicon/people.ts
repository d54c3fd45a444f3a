/** People and health: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const people = `
  person people | person personen leute mensch menschen | persona personas gente | personne personnes gens | 人们
  man men | mann männer | hombre hombres | homme hommes | 男人
  woman women | frau frauen | mujer mujeres | femme femmes | 女人
  child children kid kids | kind kinder kindern | niño niña niños niñas | enfant enfants | 孩子 小孩
  baby | baby säugling | bebé | bébé | 婴儿 宝宝
  boy | junge jungen | chico muchacho | garçon garçons | 男孩
  girl | mädchen | chica muchacha | fille filles | 女孩
  mother mom mum mama | mutter mama | madre mamá | mère maman | 妈妈 母亲
  father dad papa | vater papa | padre papá | père papa | 爸爸 父亲
  parent parents | eltern | padres | parents | 父母
  son | sohn söhne | hijo hijos | fils | 儿子
  daughter | tochter töchter | hija hijas | fille filles | 女儿
  brother | bruder brüder | hermano hermanos | frère frères | 哥哥 弟弟 兄弟
  sister | schwester schwestern | hermana hermanas | sœur sœurs soeur | 姐姐 妹妹 姐妹
  sibling siblings | geschwister | hermanos | fratrie | 兄弟姐妹
  grandmother grandma granny | großmutter oma | abuela | mamie | 奶奶 外婆 祖母
  grandfather grandpa grandad | großvater opa | abuelo | papi | 爷爷 外公 祖父
  aunt | tante | tía | tante | 阿姨 姑姑
  uncle | onkel | tío | oncle | 叔叔 舅舅
  cousin | cousin cousine | primo prima | cousin cousine | 表哥 表姐 堂兄
  nephew | neffe | sobrino | neveu | 侄子
  niece | nichte | sobrina | nièce | 侄女
  husband | mann ehemann | marido esposo | mari époux | 丈夫 老公
  wife | frau ehefrau | mujer esposa | femme épouse | 妻子 老婆
  partner | partner partnerin | pareja socio socia | partenaire | 伙伴 伴侣
  family | familie | familia | famille | 家庭 家人
  relative relatives | verwandte verwandter | pariente parientes | parent proche | 亲戚
  friend buddy | freund freundin freunde | amigo amiga amigos | ami amie amis | 朋友
  neighbour neighbor | nachbar nachbarin nachbarn | vecino vecina vecinos | voisin voisine voisins | 邻居
  guest visitor | gast gäste besucher | invitado huésped visitante | invité hôte visiteur | 客人 访客
  stranger | fremder fremde | desconocido | inconnu | 陌生人
  boss manager supervisor | chef chefin vorgesetzter leiter leiterin | jefe jefa gerente | chef patron responsable gérant | 老板 经理 主管
  colleague coworker | kollege kollegin kollegen | colega compañero compañera | collègue collègues | 同事
  employee staff worker | mitarbeiter mitarbeiterin angestellter personal | empleado empleada empleados personal trabajador | employé employée salarié personnel | 员工 职员
  intern trainee apprentice | praktikant praktikantin lehrling azubi | becario becaria aprendiz | stagiaire apprenti | 实习生 学徒
  customer client | kunde kundin kunden | cliente clientes | client cliente clients | 客户 顾客
  supplier vendor provider | lieferant lieferanten anbieter | proveedor proveedores | fournisseur fournisseurs | 供应商
  contractor | auftragnehmer | contratista |  | 承包商
  owner | besitzer besitzerin eigentümer inhaber | dueño propietario propietaria | propriétaire | 主人 业主
  tenant | mieter mieterin | inquilino | locataire | 租客 房客
  landlord | vermieter vermieterin | casero | bailleur propriétaire | 房东
  teacher instructor | lehrer lehrerin | profesor profesora maestro maestra | professeur enseignant enseignante | 老师 教师
  student pupil | schüler schülerin student studentin | alumno alumna estudiante | élève étudiant étudiante | 学生
  doctor physician | arzt ärztin | médico médica doctor doctora | médecin docteur | 医生 大夫
  dentist | zahnarzt zahnärztin | dentista | dentiste | 牙医
  nurse | pfleger krankenschwester pflegekraft | enfermero enfermera | infirmier infirmière | 护士
  vet veterinarian | tierarzt tierärztin | veterinario veterinaria | vétérinaire | 兽医
  patient | patient patientin | paciente | patient patiente | 病人 患者
  pharmacist | apotheker apothekerin | farmacéutico | pharmacien | 药剂师
  lawyer attorney | anwalt anwältin rechtsanwalt | abogado abogada | avocat avocate | 律师
  judge | richter richterin | juez jueza | juge | 法官
  notary | notar notarin | notario notaria | notaire | 公证人
  police | polizei | policía | police | 警察
  fireman firefighter | feuerwehr feuerwehrmann | bombero bomberos | pompier pompiers | 消防员
  accountant bookkeeper | buchhalter buchhalterin steuerberater | contable contador | comptable | 会计
  treasurer | kassenwart schatzmeister schatzmeisterin | tesorero tesorera | trésorier trésorière | 司库 财务
  engineer | ingenieur ingenieurin | ingeniero ingeniera | ingénieur | 工程师
  developer programmer | entwickler entwicklerin programmierer | desarrollador desarrolladora programador | développeur développeuse | 开发者 程序员
  designer | designer gestalter gestalterin | diseñador diseñadora | designer concepteur | 设计师
  architect | architekt architektin | arquitecto arquitecta | architecte | 建筑师
  electrician | elektriker elektrikerin | electricista | électricien | 电工
  plumber | klempner installateur | fontanero plomero | plombier | 水管工
  carpenter joiner | tischler schreiner | carpintero | menuisier charpentier | 木匠
  painter | maler malerin lackierer | pintor pintora | peintre | 画家 油漆工
  mechanic | mechaniker mechanikerin | mecánico mecánica | mécanicien garagiste | 修理工 机械师
  craftsman | handwerker | artesano | artisan | 工匠
  baker bakery | bäcker bäckerei | panadero panadería | boulanger boulangerie | 面包店 面包师
  butcher | metzger fleischer | carnicero carnicería | boucher boucherie | 屠夫 肉店
  cook chef | koch köchin | cocinero cocinera | cuisinier cuisinière | 厨师
  waiter | kellner kellnerin | camarero camarera | serveur serveuse | 服务员
  farmer | bauer bäuerin landwirt | granjero agricultor | agriculteur fermier | 农民
  gardener | gärtner gärtnerin | jardinero | jardinier | 园丁
  driver | fahrer fahrerin | conductor conductora chófer | chauffeur conducteur | 司机
  pilot | pilot pilotin | piloto | pilote | 飞行员
  hairdresser barber | friseur friseurin | peluquero peluquera peluquería | coiffeur coiffeuse | 理发师 理发店
  singer | sänger sängerin | cantante | chanteur chanteuse | 歌手
  musician | musiker musikerin | músico música | musicien musicienne | 音乐家 乐手
  conductor | dirigent dirigentin | director directora | chef | 指挥
  soloist | solist solistin | solista | soliste | 独唱 独奏
  actor actress | schauspieler schauspielerin | actor actriz | acteur actrice | 演员
  writer author | autor autorin schriftsteller | escritor escritora autor | auteur écrivain | 作家 作者
  journalist | journalist journalistin | periodista | journaliste | 记者
  coach trainer | trainer trainerin | entrenador entrenadora | entraîneur | 教练
  player | spieler spielerin | jugador jugadora | joueur joueuse | 球员 选手
  member | mitglied mitglieder | miembro miembros socio | membre membres adhérent | 成员 会员
  leader head | leiter leiterin anführer | líder jefe | dirigeant chef | 领导 负责人
  president chairman chair | präsident präsidentin vorsitzender | presidente presidenta | président présidente | 主席 总统
  secretary | sekretär sekretärin | secretario secretaria | secrétaire | 秘书
  contact | ansprechpartner ansprechpartnerin kontakt | contacto | contact interlocuteur | 联系人
  successor | nachfolger nachfolgerin | sucesor sucesora | successeur | 接班人 继任者
  volunteer | freiwillige freiwilliger ehrenamtlich | voluntario voluntaria | bénévole | 志愿者
  team crew | team mannschaft | equipo | équipe | 团队 小组
  group | gruppe | grupo | groupe | 小组 群组
  club association | verein klub | club asociación | club association | 俱乐部 协会
  choir | chor | coro | chœur chorale | 合唱团
  orchestra band | orchester kapelle | orquesta banda | orchestre | 乐队 乐团
  board committee | vorstand ausschuss | junta comité directiva | comité bureau | 董事会 委员会
  name | name namen | nombre nombres | nom noms | 名字 姓名
  birthday | geburtstag | cumpleaños | anniversaire | 生日
  wedding | hochzeit | boda | mariage noces | 婚礼
  funeral | beerdigung | funeral entierro | enterrement obsèques | 葬礼
  marry married | heiraten verheiratet | casarse casado casada | marier marié mariée | 结婚
  born birth | geboren geburt | nacido nacimiento | né née naissance | 出生
  die died death dead | gestorben tod tot | murió muerte muerto | mort décès décédé | 去世 死亡
  age old | alter alt | edad años | âge ans | 年龄
  live lives living reside | wohnt wohnen wohne lebt | vive vivir vivo reside | habite habiter vit | 居住 住在
  body | körper | cuerpo | corps | 身体
  head | kopf | cabeza | tête | 头部
  hair | haare haar | pelo cabello | cheveux | 头发
  eye eyes | auge augen | ojo ojos | œil yeux | 眼睛
  ear ears | ohr ohren | oreja oído | oreille oreilles | 耳朵
  nose | nase | nariz | nez | 鼻子
  mouth | mund | boca | bouche | 嘴巴
  tooth teeth | zahn zähne | diente dientes | dent dents | 牙齿
  braces brace | zahnspange spange | brackets ortodoncia | dentaire | 牙套
  hand hands | hand hände | mano manos | main mains | 手
  arm | arm arme | brazo | bras | 手臂
  leg | bein beine | pierna | jambe | 腿
  foot feet | fuß füße | pie pies | pied pieds | 脚
  knee | knie | rodilla | genou | 膝盖
  back | rücken | espalda | dos | 背部
  shoulder | schulter | hombro | épaule | 肩膀
  heart | herz | corazón | cœur | 心脏
  blood | blut | sangre | sang | 血液
  skin | haut | piel | peau | 皮肤
  bone | knochen | hueso | os | 骨头
  stomach belly | magen bauch | estómago barriga | estomac ventre | 胃 肚子
  health | gesundheit | salud | santé | 健康
  ill sick illness disease | krank krankheit | enfermo enferma enfermedad | malade maladie | 生病 疾病
  pain ache | schmerz schmerzen | dolor | douleur mal | 疼痛
  fever | fieber | fiebre | fièvre | 发烧
  cough | husten | tos | toux | 咳嗽
  cold flu | erkältung grippe | resfriado gripe | rhume grippe | 感冒 流感
  injury wound injured | verletzung verletzt wunde | lesión herida herido | blessure blessé | 受伤
  allergy allergic intolerant | allergie allergisch verträgt unverträglich | alergia alérgico alérgica | allergie allergique | 过敏
  medicine medication drug | medikament medikamente arznei medizin | medicina medicamento medicamentos | médicament médicaments | 药 药物
  pill tablet | tablette tabletten pille | pastilla píldora | comprimé pilule | 药片
  vaccine vaccination shot | impfung impfstoff geimpft | vacuna vacunación | vaccin vaccination | 疫苗
  prescription | rezept | receta | ordonnance | 处方
  surgery operation | operation | operación cirugía | opération chirurgie | 手术
  hospital clinic | krankenhaus klinik spital | hospital clínica | hôpital clinique | 医院
  pharmacy chemist | apotheke | farmacia | pharmacie | 药店 药房
  appointment | termin termine | cita citas |  | 预约
  checkup | untersuchung vorsorge kontrolle | revisión chequeo | examen contrôle visite | 检查 体检
  glasses | brille | gafas | lunettes | 眼镜
  pregnant | schwanger | embarazada | enceinte | 怀孕
  diet | diät ernährung | dieta | régime | 饮食 节食
  vegetarian vegan | vegetarisch vegetarier vegan | vegetariano vegetariana vegano | végétarien végétarienne végan | 素食
  sleep | schlaf schlafen schläft | dormir sueño duerme | dormir sommeil dort | 睡觉 睡眠`
